import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { invoke } from "./streams.ts";
import { Bench } from "./suite.ts";

const cloudInit = { ide2: "local-lvm:vm-302-cloudinit,media=cdrom", ciuser: "ops" };
const guests = [
  { vmid: 301, node: "pve1", running: true, config: { name: "up", scsi0: "local-lvm:vm-301-disk-0,size=1G" } },
  { vmid: 302, node: "pve2", config: { name: "down", scsi0: "local-lvm:vm-302-disk-0,size=1G", ...cloudInit } },
  { vmid: 303, node: "pve1", running: true, acpi: false, config: { name: "ignores-acpi" } },
  { vmid: 304, node: "pve1", config: { name: "golden", template: 1 } },
  { vmid: 305, node: "pve1", type: "lxc", config: { hostname: "container" } },
  { vmid: 306, node: "pve3", running: true, config: { name: "managed" } },
];
const ha_resources = [{ sid: "vm:306", state: "started" }];

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open({ seed: { ...defaultSeed(), guests, ha_resources } });
});
beforeEach(() => bench.simulator.reset());
afterAll(() => bench.close());

const isRunning = (vmid: number) => bench.guest(vmid).run !== undefined;
const act = (type: string, config: Record<string, string | number | boolean>) =>
  invoke(bench.provider, `proxmox_vm_${type}`, config);

test.each([
  ["start", "POST /nodes/{node}/qemu/{vmid}/status/start", 302],
  ["reboot", "POST /nodes/{node}/qemu/{vmid}/status/reboot", 301],
])("a lost answer of proxmox_vm_%s is proved by its task", async (type, call, vmid) => {
  bench.simulator.faults.order({ do: "answer", call, status: 596, after: 1 });
  const { diagnostics } = await act(type, { vmid });
  expect(diagnostics).toEqual([]);
  expect(isRunning(vmid)).toBe(true);
});

describe("proxmox_vm_stop", () => {
  test("stops a VM whose guest does not shut down", async () => {
    const { progress, diagnostics } = await act("stop", { vmid: 303 });
    expect(diagnostics).toEqual([]);
    expect(progress[0]).toMatch(/^VM 303: task UPID:pve1:.*:qmstop:303:/);
    expect(progress.at(-1)).toBe("VM 303: stopped");
    expect(isRunning(303)).toBe(false);
  });

  test("leaves a stopped VM alone", async () => {
    expect(await act("stop", { vmid: 302 })).toEqual({ progress: ["VM 302: stopped already"], diagnostics: [] });
  });

  test("ends a shutdown that holds the lock, if that is allowed", async () => {
    const shutdown = act("shutdown", { vmid: 303, timeout: "30s" });
    const isShuttingDown = () => bench.simulator.sim.world.tasks.some(({ type }) => type === "qmshutdown");
    await expect.poll(isShuttingDown).toBe(true);
    const { diagnostics } = await act("stop", { vmid: 303, overrule_shutdown: true });
    expect(diagnostics).toEqual([]);
    expect(isRunning(303)).toBe(false);
    await shutdown;
  });
});

describe("proxmox_vm_reset", () => {
  test("resets a running VM", async () => {
    const { progress, diagnostics } = await act("reset", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(progress[0]).toMatch(/:qmreset:301:/);
    expect(progress.at(-1)).toBe("VM 301: reset");
    expect(isRunning(301)).toBe(true);
  });
});

describe("proxmox_vm_suspend and proxmox_vm_resume", () => {
  test("suspend a VM in memory and continue it", async () => {
    expect((await act("suspend", { vmid: 301 })).diagnostics).toEqual([]);
    expect(bench.guest(301).run?.paused).toBe(true);
    const { progress, diagnostics } = await act("resume", { vmid: 301 });
    expect(diagnostics).toEqual([]);
    expect(progress.at(-1)).toBe("VM 301: running");
    expect(bench.guest(301).run?.paused).not.toBe(true);
  });

  test("save the memory to a storage and load it again", async () => {
    const suspended = await act("suspend", { vmid: 301, to_disk: true, state_storage: "local-lvm" });
    expect(suspended.diagnostics).toEqual([]);
    expect(bench.guest(301).config).toMatchObject({ lock: "suspended", vmstate: expect.stringMatching(/^local-lvm:/) });
    expect(isRunning(301)).toBe(false);
    expect((await act("resume", { vmid: 301 })).diagnostics).toEqual([]);
    expect(isRunning(301)).toBe(true);
    expect(bench.guest(301).config).not.toHaveProperty("vmstate");
  });

  test("report why PVE refuses to save the memory under HA", async () => {
    const { diagnostics } = await act("suspend", { vmid: 306, to_disk: true });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Unable to suspend VM 306" }]);
    expect(diagnostics[0]?.detail).toContain("Cannot suspend HA managed VM to disk");
  });

  test("report a VM that is neither suspended nor running", async () => {
    const { diagnostics } = await act("resume", { vmid: 302 });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Unable to resume VM 302" }]);
  });
});

describe("proxmox_vm_migrate", () => {
  test("moves a running VM with its local disk", async () => {
    const { progress, diagnostics } = await act("migrate", { vmid: 301, node: "pve2", bandwidth_limit: 100_000 });
    expect(diagnostics).toEqual([]);
    expect(progress[0]).toMatch(/:qmigrate:301:/);
    expect(progress.at(-1)).toBe("VM 301: on pve2");
    expect(bench.guest(301).node).toBe("pve2");
    expect(isRunning(301)).toBe(true);
  });

  test("puts the volumes on another storage", async () => {
    const { diagnostics } = await act("migrate", { vmid: 302, node: "pve1", target_storage: "nas" });
    expect(diagnostics).toEqual([]);
    expect(bench.guest(302).config["scsi0"]).toMatch(/^nas:/);
  });

  test("waits for HA, which moves it after the task has ended", async () => {
    // HA drops a request for a guest that it has not taken up yet.
    await expect.poll(() => bench.simulator.sim.world.ha.services["vm:306"]?.state).toBe("started");
    const { progress, diagnostics } = await act("migrate", { vmid: 306, node: "pve1" });
    expect(diagnostics).toEqual([]);
    expect(progress[0]).toMatch(/:hamigrate:306:/);
    expect(bench.guest(306).node).toBe("pve1");
  });

  test("leaves a VM alone that is there already", async () => {
    const { progress, diagnostics } = await act("migrate", { vmid: 302, node: "pve2" });
    expect(diagnostics).toEqual([]);
    expect(progress).toEqual(["VM 302: on pve2 already"]);
  });

  test("refuses a node that does not exist", async () => {
    const { diagnostics } = await act("migrate", { vmid: 301, node: "pve9" });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "No such node" }]);
    expect(bench.guest(301).node).toBe("pve1");
  });
});

describe("proxmox_vm_cloud_init_regenerate", () => {
  test("writes the drive again", async () => {
    bench.guest(302).cloudinit = { ciuser: "former" };
    const { progress, diagnostics } = await act("cloud_init_regenerate", { vmid: 302 });
    expect(diagnostics).toEqual([]);
    expect(progress).toEqual(["VM 302: cloud-init drive written"]);
    expect(bench.guest(302).cloudinit).toEqual({});
  });

  test("is refused for a VM without such a drive", async () => {
    const { diagnostics } = await act("cloud_init_regenerate", { vmid: 301 });
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "No cloud-init drive" }]);
  });
});

const privileges = {
  stop: "VM.PowerMgmt",
  reset: "VM.PowerMgmt",
  suspend: "VM.PowerMgmt",
  resume: "VM.PowerMgmt",
  migrate: "VM.Migrate",
  cloud_init_regenerate: "VM.Config.Cloudinit",
};

describe.each(Object.entries(privileges))("proxmox_vm_%s", (type, privilege) => {
  const more = type === "migrate" ? { node: "pve3" } : {};

  test.each([
    { what: "the VM does not exist", vmid: 999, summary: "VM not found" },
    { what: "it is a container", vmid: 305, summary: "VM not found" },
    { what: "it is a template", vmid: 304, summary: "VM is a template" },
  ])("is refused when $what", async ({ vmid, summary }) => {
    const { progress, diagnostics } = await act(type, { vmid, ...more });
    expect(progress).toEqual([]);
    expect(diagnostics).toMatchObject([{ severity: "ERROR", summary }]);
  });

  test("names the missing privilege", async () => {
    bench.simulator.faults.order({ do: "revoke", privilege });
    const { diagnostics } = await act(type, { vmid: type === "cloud_init_regenerate" ? 302 : 301, ...more });
    expect(diagnostics[0]?.detail).toContain(privilege);
  });
});

test.each(["reset", "suspend"])("proxmox_vm_%s is refused for a VM that does not run", async (type) => {
  const { diagnostics } = await act(type, { vmid: 302 });
  expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "VM 302 is not running" }]);
});

test.each([
  { type: "stop", task: "qmstop", more: {}, summary: "VM 301 is not stopped yet" },
  { type: "reset", task: "qmreset", more: {}, summary: "VM 301 is not reset yet" },
  { type: "suspend", task: "qmpause", more: {}, summary: "VM 301 is not suspended yet" },
  { type: "migrate", task: "qmigrate", more: { node: "pve2" }, summary: "VM 301 is not migrated yet" },
])("proxmox_vm_$type waits no longer than its timeout", async ({ type, task, more, summary }) => {
  bench.simulator.faults.order({ do: "slow", task, seconds: 2_000 });
  const { diagnostics } = await act(type, { vmid: 301, timeout: "300ms", ...more });
  expect(diagnostics).toMatchObject([{ severity: "ERROR", summary }]);
});
