import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { invoke } from "./streams.ts";
import { Bench } from "./suite.ts";

const guests = [
  { vmid: 301, node: "pve1", running: true, config: { name: "up", scsi0: "local-lvm:vm-301-disk-0,size=1G" } },
  { vmid: 302, node: "pve2", config: { name: "down", scsi0: "local-lvm:vm-302-disk-0,size=1G" } },
  { vmid: 303, node: "pve1", running: true, acpi: false, config: { name: "deaf" } },
  { vmid: 304, node: "pve1", config: { name: "golden", template: 1 } },
  { vmid: 305, node: "pve1", type: "lxc", config: { hostname: "container" } },
  { vmid: 306, node: "pve3", config: { name: "guarded" } },
];
const ha_resources = [{ sid: "vm:306", state: "stopped" }];

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ seed: { ...defaultSeed(), guests, ha_resources } });
});
beforeEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const isRunning = (vmid: number) => bench.guest(vmid).run !== undefined;
const act = (type: string, config: Record<string, string | number | boolean>) =>
  invoke(bench.provider, `proxmox_vm_${type}`, config);

describe("proxmox_vm_start", () => {
  test("starts a VM and says so", async () => {
    const { progress, diagnostics } = await act("start", { vmid: 302 });
    expect(diagnostics).toEqual([]);
    expect(isRunning(302)).toBe(true);
    expect(progress[0]).toMatch(/^VM 302: task UPID:pve2:.*:qmstart:302:/);
    expect(progress.at(-1)).toBe("VM 302: running");
  });

  test("waits for HA, which starts it after the task has ended", async () => {
    const { progress, diagnostics } = await act("start", { vmid: 306 });
    expect(diagnostics).toEqual([]);
    expect(progress[0]).toMatch(/:hastart:306:/);
    expect(isRunning(306)).toBe(true);
    expect((await act("shutdown", { vmid: 306 })).diagnostics).toEqual([]);
    expect(isRunning(306)).toBe(false);
  });

  test("leaves a VM alone that runs already", async () => {
    const { progress, diagnostics } = await act("start", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(progress).toEqual(["VM 301: running already"]);
  });

  test("reports why a VM does not start", async () => {
    bench.simulator.faults.order({ do: "fail", task: "qmstart", text: "start failed: QEMU exited with code 1" });
    const { diagnostics } = await act("start", { vmid: 302 });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Unable to start VM 302" }]);
    expect(diagnostics[0]?.detail).toContain("QEMU exited with code 1");
    expect(diagnostics[0]?.detail).toMatch(/Task: UPID:pve2:/);
  });

  test("waits no longer than it may", async () => {
    bench.simulator.faults.order({ do: "slow", task: "qmstart", seconds: 2_000 });
    const { progress, diagnostics } = await act("start", { vmid: 302, timeout: "300ms" });
    expect(progress).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "VM 302 does not run yet" }]);
    expect(diagnostics[0]?.attribute?.steps[0]?.attribute_name).toBe("timeout");
  });
});

/** What `action_trigger` with `after_create` does: the same process, right after the VM was made. */
test.each(["start", "snapshot"])("proxmox_vm_%s acts on a VM that the same run has just made", async (type) => {
  await bench.restart();
  expect((await act("start", { vmid: 399 })).diagnostics).toMatchObject([{ summary: "VM not found" }]);
  const config = { vmid: 310, node: "pve1", name: "new", power: "stopped" };
  await bench.vm.apply(await bench.vm.plan(null, config), config);
  const { diagnostics } = await act(type, { vmid: 310, ...(type === "snapshot" && { name: "first" }) });
  expect(diagnostics).toEqual([]);
});

describe("proxmox_vm_shutdown", () => {
  test("shuts a VM down", async () => {
    const { progress, diagnostics } = await act("shutdown", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(isRunning(301)).toBe(false);
    expect(progress.at(-1)).toBe("VM 301: stopped");
  });

  test("leaves a VM alone that is stopped already", async () => {
    expect(await act("shutdown", { vmid: 302 })).toEqual({ progress: ["VM 302: stopped already"], diagnostics: [] });
  });

  test("fails when the guest does not obey in time, and leaves it running", async () => {
    const { diagnostics } = await act("shutdown", { vmid: 303, timeout: "2s" });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Unable to shut down VM 303" }]);
    expect(diagnostics[0]?.detail).toContain("VM quit/powerdown failed - got timeout");
    expect(isRunning(303)).toBe(true);
  });

  test("stops the VM hard after that time where it may, and reports what the task says", async () => {
    const { progress, diagnostics } = await act("shutdown", { vmid: 303, timeout: "2s", force: true });
    expect(diagnostics).toEqual([]);
    expect(isRunning(303)).toBe(false);
    expect(progress).toContain("VM 303: VM still running - terminating now with SIGTERM");
  });
});

describe("proxmox_vm_reboot", () => {
  test("shuts a VM down, waits until it is up again, and applies what was pending", async () => {
    const { since } = bench.guest(301).run ?? { since: 0 };
    bench.guest(301).pending.set["cores"] = "4";
    const { progress, diagnostics } = await act("reboot", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 301: running");
    expect(bench.guest(301).run?.since).toBeGreaterThan(since);
    expect(bench.guest(301).config["cores"]).toBe("4");
  });

  test("is refused for a VM that does not run", async () => {
    const { diagnostics } = await act("reboot", { vmid: 302 });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "VM 302 is not running" }]);
    expect(isRunning(302)).toBe(false);
  });
});

describe("proxmox_vm_snapshot", () => {
  test("takes a snapshot and reports what it does", async () => {
    const config = { vmid: 302, name: "before-upgrade", description: "clean" };
    const { progress, diagnostics } = await act("snapshot", config);
    expect(diagnostics).toEqual([]);
    expect(bench.guest(302).snapshots["before-upgrade"]).toMatchObject({ description: "clean" });
    expect(progress).toContain("VM 302: snapshotting 'drive-scsi0' (local-lvm:vm-302-disk-0)");
    expect(progress.at(-1)).toBe("VM 302: snapshot before-upgrade taken");
  });

  test("saves the memory of a running VM where it is asked to", async () => {
    const { diagnostics } = await act("snapshot", { vmid: 301, name: "warm", memory: true });
    expect(diagnostics).toEqual([]);
    expect(bench.guest(301).snapshots["warm"]).toHaveProperty("vmstate");
  });

  test("does not overwrite a snapshot", async () => {
    await act("snapshot", { vmid: 302, name: "once" });
    const { diagnostics } = await act("snapshot", { vmid: 302, name: "once" });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Unable to take a snapshot of VM 302" }]);
    expect(diagnostics[0]?.detail).toContain("snapshot name 'once' already used");
  });
});

describe.each(["start", "shutdown", "reboot", "snapshot"])("proxmox_vm_%s", (type) => {
  const more = type === "snapshot" ? { name: "some" } : {};

  test.each([
    { what: "there is no VM", vmid: 999, summary: "VM not found" },
    { what: "it is a container", vmid: 305, summary: "VM not found" },
    { what: "it is a template", vmid: 304, summary: "VM is a template" },
  ])("is refused when $what", async ({ vmid, summary }) => {
    const { progress, diagnostics } = await act(type, { vmid, ...more });
    expect(progress).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary }]);
    expect(diagnostics[0]?.attribute?.steps[0]?.attribute_name).toBe("vmid");
  });

  test("names the privilege that is missing", async () => {
    const privilege = type === "snapshot" ? "VM.Snapshot" : "VM.PowerMgmt";
    bench.simulator.faults.order({ do: "revoke", privilege });
    const { diagnostics } = await act(type, { vmid: type === "start" ? 302 : 301, ...more });
    expect(diagnostics[0]?.detail).toContain(privilege);
  });
});
