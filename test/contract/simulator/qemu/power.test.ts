import { beforeEach, describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, create, config, set, lastLog } = lab;

const status = async (vmid = 200) =>
  ((await ask(`GET /nodes/pve1/qemu/${vmid}/status/current`)) as { status: string; qmpstatus: string }).qmpstatus;
const power = (how: string, options: Record<string, string | number> = {}) =>
  run(`POST /nodes/pve1/qemu/200/status/${how}`, options);
const behave = (behaviour: { agent?: boolean; acpi?: boolean }) => {
  const guest = lab.simulator.sim.world.guests[200];
  Object.assign(guest?.behaviour ?? {}, behaviour);
};

describe("a VM that is stopped", () => {
  test("is started once", async () => {
    expect(await power("start")).toBe("OK");
    expect(await status()).toBe("running");
    expect(await power("start")).toBe("VM 200 already running");
  });

  test.each(["stop", "shutdown"])("can be sent %s all the same", async (how) => {
    expect(await power(how)).toBe("OK");
  });

  test.each(["reset", "suspend", "resume", "reboot"])("cannot be sent %s", async (how) => {
    expect(await power(how)).toBe("500 VM 200 not running");
  });

  test("reports little about itself", async () => {
    expect(await ask("GET /nodes/pve1/qemu/200/status/current")).toMatchObject({
      vmid: 200,
      name: "web",
      status: "stopped",
      qmpstatus: "stopped",
      cpus: 2,
      maxmem: 2 ** 30,
      maxdisk: 10 * 2 ** 30,
      uptime: 0,
      ha: { managed: 0 },
    });
  });
});

describe("a VM does not start", () => {
  test.each([
    ["if it is not there", 299, "Configuration file 'nodes/pve1/qemu-server/299.conf' does not exist"],
    ["if it is a template", 900, "you can't start a vm if it's a template"],
  ])("%s", async (_, vmid, complaint) => {
    expect(await run(`POST /nodes/pve1/qemu/${vmid}/status/start`)).toBe(complaint);
  });

  test("while it is locked", async () => {
    lab.lock(200, "backup");
    expect(await power("start")).toBe("VM is locked (backup)");
  });

  test.each<[Record<string, string | number>, string]>([
    [{ cores: 64 }, "MAX 16 vcpus allowed per VM on this node"],
    [{ scsi1: "thin:1,snapshot=1" }, "'snapshot' option is not yet supported for '-blockdev'"],
    [{ machine: "pc-q35-99.0" }, "Installed QEMU version"],
    [{ hotplug: "memory" }, "NUMA needs to be enabled for memory hotplug"],
    [{ net0: "virtio,bridge=vmbr9" }, "bridge 'vmbr9' does not exist"],
    [{ net0: "virtio,bridge=vmbr0,mtu=9000" }, "netdev net0: MTU '9000' is bigger than the bridge MTU '1500'"],
    [{ bios: "ovmf", cpu: "kvm32" }, "OVMF (UEFI) BIOS is not supported on 32-bit CPU types"],
  ])("with %j", async (options, complaint) => {
    expect(await set(200, options)).toBeNull();
    expect(await power("start")).toContain(complaint);
    expect(await status()).toBe("stopped");
  });

  test("without a volume that is gone", async () => {
    await run("DELETE /nodes/pve1/storage/thin/content/thin:vm-200-disk-0");
    expect(await power("start")).toContain("vm-200-disk-0");
  });

  test("silently where something is odd", async () => {
    await set(200, { bios: "ovmf", net0: "virtio" });
    expect(await power("start")).toBe("WARNINGS: 2");
    expect(lastLog()).toEqual([
      "WARN: no efidisk configured! Using temporary efivars disk.",
      "WARN: Interface 'tap200i0' not attached to any bridge.",
    ]);
  });
});

describe("a VM that runs", () => {
  beforeEach(async () => {
    await power("start");
  });

  test("is stopped hard, or asked to shut down", async () => {
    expect(await power("stop")).toBe("OK");
    expect(await status()).toBe("stopped");
    await power("start");
    expect(await power("shutdown")).toBe("OK");
    expect(await status()).toBe("stopped");
  });

  test("may ignore the request", async () => {
    behave({ acpi: false });
    expect(await power("shutdown", { timeout: 2 })).toBe("VM quit/powerdown failed - got timeout");
    expect(await status()).toBe("running");
  });

  test("is then stopped, if that is wanted", async () => {
    behave({ acpi: false });
    expect(await power("shutdown", { timeout: 2, forceStop: 1 })).toBe("OK");
    expect(lastLog()).toContain("VM still running - terminating now with SIGTERM");
  });

  test("is stopped while another task waits for its shutdown", async () => {
    behave({ acpi: false });
    const waiting = power("shutdown", { timeout: 600 });
    expect(await power("stop", { "overrule-shutdown": 1 })).toBe("OK");
    expect(await waiting).toBe("received interrupt");
    expect(await status()).toBe("stopped");
  });

  test("starts again after a reboot", async () => {
    await set(200, { cores: 3 });
    expect(await power("reboot")).toBe("OK");
    await expect.poll(() => status()).toBe("running");
    expect(await config(200, { current: 1 })).toMatchObject({ cores: 3 });
  });

  test("keeps running through a reset", async () => {
    expect(await power("reset")).toBe("OK");
    expect(await status()).toBe("running");
  });

  test("can be paused and go on", async () => {
    expect(await power("suspend")).toBe("OK");
    expect(await status()).toBe("paused");
    expect(await power("shutdown")).toBe("500 VM is paused - cannot shutdown");
    expect(await power("resume")).toBe("OK");
    expect(await status()).toBe("running");
  });

  test("can sleep on disk, and wakes with what it was", async () => {
    expect(await power("suspend", { todisk: 1 })).toBe("OK");
    const asleep = await config(200);
    expect(asleep).toMatchObject({ lock: "suspended", vmstate: expect.stringMatching(/^thin:vm-200-state-suspend-/) });
    expect(await power("start")).toBe("OK");
    expect(await config(200)).not.toHaveProperty("vmstate");
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 200 })).toHaveLength(1);
  });

  test("is not destroyed", async () => {
    expect(await run("DELETE /nodes/pve1/qemu/200")).toBe("500 VM 200 is running - destroy failed");
  });
});

describe("the list of VMs", () => {
  test("shows those of a node, with what they are", async () => {
    await create(300, { name: "fresh", tags: "a" });
    const list = (await ask("GET /nodes/pve1/qemu")) as Record<string, unknown>[];
    expect(
      list.map(({ vmid, name, status: state, template, tags }) => ({ vmid, name, state, template, tags })),
    ).toEqual(
      expect.arrayContaining(
        [
          { vmid: 200, name: "web", state: "stopped" },
          { vmid: 300, name: "fresh", state: "stopped", tags: "a" },
          { vmid: 900, name: "golden", state: "stopped", template: 1 },
        ].map((expected) => expect.objectContaining(expected)),
      ),
    );
    expect(list).toHaveLength(3);
  });

  test("shows each caller its own", async () => {
    const list = (await ask("GET /nodes/pve1/qemu", {}, "owner@pve!tk")) as Record<string, unknown>[];
    expect(list.map(({ vmid }) => vmid)).toEqual([200]);
  });
});
