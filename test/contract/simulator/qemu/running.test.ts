import { beforeEach, describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const { run, config, set, waiting } = vmLab();

const net0 = "virtio=BC:24:11:00:00:01,bridge=vmbr0";

beforeEach(async () => {
  await set(200, {
    net0,
    scsi1: "thin:1",
    sata5: "tank:1",
    ide2: "none,media=cdrom",
    ostype: "l26",
    boot: "order=scsi0",
  });
  expect(await run("POST /nodes/pve1/qemu/200/status/start")).toBe("OK");
});

describe("a change that waits", () => {
  test("is shown as wanted, not as current, and in the list of what waits", async () => {
    expect(await set(200, { cores: 4, delete: "ostype" })).toBeNull();
    expect(await config(200)).toMatchObject({ cores: 4 });
    expect(await config(200)).not.toHaveProperty("ostype");
    expect(await config(200, { current: 1 })).toMatchObject({ cores: 2, ostype: "l26" });
    expect(await waiting(200)).toEqual([
      { key: "cores", value: 2, pending: 4 },
      { key: "ostype", value: "l26", delete: 1 },
    ]);
  });

  test("can be taken back", async () => {
    await set(200, { cores: 4, memory: 2048, delete: "ostype" });
    expect(await set(200, { revert: "cores,ostype" })).toBeNull();
    expect(await waiting(200)).toEqual([{ key: "memory", value: "1024", pending: "2048" }]);
  });

  test("ends when the old value is wanted again", async () => {
    await set(200, { cores: 4 });
    await set(200, { cores: 2 });
    expect(await waiting(200)).toEqual([]);
  });

  test.each(["stop", "shutdown"])("comes about by %s", async (how) => {
    await set(200, { cores: 4 });
    await run(`POST /nodes/pve1/qemu/200/status/${how}`);
    expect(await run("POST /nodes/pve1/qemu/200/status/start")).toBe("OK");
    expect(await config(200, { current: 1 })).toMatchObject({ cores: 4 });
    expect(await waiting(200)).toEqual([]);
  });

  test("that is a new disk leaves it unused when it is taken back", async () => {
    await set(200, { sata0: "thin:1" });
    expect(await waiting(200)).toEqual([{ key: "sata0", pending: "thin:vm-200-disk-2,size=1G" }]);
    await set(200, { revert: "sata0" });
    expect(await config(200)).toMatchObject({ unused0: "thin:vm-200-disk-2" });
    expect(await waiting(200)).toEqual([]);
  });
});

describe("while it runs, a VM", () => {
  test.each<[string, Record<string, string | number>]>([
    ["its name and tags", { name: "new", tags: "a;b" }],
    ["when it starts", { onboot: 1, startup: "order=2" }],
    ["its description", { description: "x" }],
    ["its share of the processors", { cpulimit: 2, cpuunits: 500 }],
    ["the bridge of a device", { net0: `${net0},tag=7,firewall=1` }],
    ["the speed of a device", { net0: `${net0},rate=10,link_down=1` }],
    ["a new device", { net1: "virtio,bridge=vmbr0" }],
    ["another address", { net0: "virtio=BC:24:11:00:00:09,bridge=vmbr0" }],
    ["no device", { delete: "net0" }],
    ["a new disk", { scsi5: "thin:1" }],
    ["a disk less", { delete: "scsi1" }],
    ["another disk", { scsi1: "tank:1" }],
    ["the limits of a disk", { scsi0: "thin:vm-200-disk-0,mbps_rd=10,backup=0" }],
    ["a CD", { ide2: "cdrom,media=cdrom", boot: "order=scsi0" }],
    ["the size of the balloon", { balloon: 512 }],
    ["what can be plugged", { hotplug: "disk" }],
    ["a tablet less", { tablet: 0 }],
    ["cloud-init's user", { ciuser: "me" }],
  ])("takes over %s", async (_, options) => {
    expect(await set(200, options)).toBeNull();
    expect(await waiting(200)).toEqual([]);
  });

  test.each<[string, Record<string, string | number>]>([
    ["cores", { cores: 4 }],
    ["memory, without its hotplug", { memory: 2048 }],
    ["vcpus, without their hotplug", { vcpus: 1 }],
    ["the machine", { machine: "q35" }],
    ["the processor", { cpu: "host" }],
    ["the display", { vga: "std" }],
    ["the controller", { scsihw: "virtio-scsi-single" }],
    ["the boot order", { boot: "order=scsi0;net0" }],
    ["the cache of a disk", { scsi0: "thin:vm-200-disk-0,cache=none" }],
    ["a SATA disk", { sata0: "thin:1" }],
    ["a serial port", { serial0: "socket" }],
    ["the agent", { agent: 1 }],
    ["no balloon", { balloon: 0 }],
    ["no CD drive", { delete: "ide2" }],
    ["no SATA disk", { delete: "sata5" }],
    ["plugging memory", { hotplug: "disk,memory" }],
  ])("does not take over %s", async (_, options) => {
    expect(await set(200, options)).toBeNull();
    expect(await waiting(200)).toHaveLength(1);
  });

  test.each<[Record<string, string>, string]>([
    [{ ide2: "thin:vm-200-disk-1" }, "ide2: hotplug problem - unable to change media type"],
    [{ delete: "scsi0" }, "scsi0: hotplug problem - can't unplug bootdisk 'scsi0'"],
    [{ sata5: "thin:1" }, "sata5: hotplug problem - can't unplug device 'sata5'"],
    [{ net0: `${net0.replace("vmbr0", "vmbr7")}` }, "net0: hotplug problem - interface vmbr7 does not exist"],
  ])("refuses %j", async (options, complaint) => {
    expect(await set(200, options)).toBe(`400 Parameter verification failed. | ${complaint}`);
  });

  test("keeps the disk that is taken off", async () => {
    await set(200, { delete: "scsi1" });
    expect(await config(200, { current: 1 })).toMatchObject({ unused0: "thin:vm-200-disk-1" });
  });

  test("grows a disk", async () => {
    expect(await run("PUT /nodes/pve1/qemu/200/resize", { disk: "scsi0", size: "+2G" })).toBe("OK");
    expect(await config(200, { current: 1 })).toMatchObject({ scsi0: "thin:vm-200-disk-0,size=12G" });
  });

  test("with nothing to be plugged leaves disks and devices for later", async () => {
    await set(200, { hotplug: "0" });
    await set(200, { net1: "virtio", scsi5: "thin:1", delete: "scsi1" });
    expect((await waiting(200)).map((item) => (item as { key: string }).key)).toEqual(["scsi1", "net1", "scsi5"]);
  });
});
