import { beforeEach, describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, create, config, set, lastLog } = lab;

type Form = Record<string, string | number>;

describe("resizing a disk", () => {
  const resize = (options: Form) => run("PUT /nodes/pve1/qemu/200/resize", options);

  test.each([
    ["12G", "12G"],
    ["+5G", "15G"],
    ["+512M", "10752M"],
    ["10G", "10G"],
    ["0.01T", "10995116277"], // the volume is rounded up to whole extents, the configuration is not
  ])("by %s makes it %s", async (size, expected) => {
    expect(await resize({ disk: "scsi0", size })).toBe("OK");
    expect((await config(200))["scsi0"]).toBe(`thin:vm-200-disk-0,size=${expected}`);
  });

  test.each<[Form, string]>([
    [{ disk: "scsi0", size: "9G" }, "shrinking disks is not supported"],
    [{ disk: "scsi4", size: "9G" }, "disk 'scsi4' does not exist"],
    [{ disk: "ide2", size: "9G" }, "you can't resize a cdrom"],
    [{ disk: "ide3", size: "9G" }, "unable to parse volume ID 'none'"],
    [
      { disk: "scsi0", size: "-1G" },
      "400 Parameter verification failed. | size: value does not match the regex pattern",
    ],
    [
      { disk: "unused0", size: "9G" },
      "400 Parameter verification failed. | disk: value 'unused0' does not have a value in the enumeration",
    ],
    [{ disk: "scsi0", size: "19G", digest: "0".repeat(40) }, "checksum mismatch (file change by other user?)"],
  ])("refuses %j", async (options, complaint) => {
    await set(200, { ide2: "thin:cloudinit", ide3: "none,media=cdrom" });
    expect(await resize(options)).toContain(complaint);
  });

  test("does not wait for the lock of the VM", async () => {
    lab.lock(200, "backup");
    expect(await resize({ disk: "scsi0", size: "12G" })).toBe("VM is locked (backup)");
  });
});

describe("moving a disk to another storage", () => {
  const move = (options: Form) => run("POST /nodes/pve1/qemu/200/move_disk", { disk: "scsi0", ...options });

  test.each<[Form, string]>([
    [{ storage: "tank" }, "tank:vm-200-disk-0,size=10G"],
    [{ storage: "local", format: "qcow2" }, "local:200/vm-200-disk-0.qcow2,size=10G"],
    [{ storage: "tank", format: "qcow2" }, "tank:vm-200-disk-0,size=10G"],
  ])("with %j, the old volume is kept", async (options, expected) => {
    expect(await move(options)).toBe("OK");
    expect(await config(200)).toMatchObject({ scsi0: expected, unused0: "thin:vm-200-disk-0" });
  });

  test("deletes the old volume if wanted", async () => {
    expect(await move({ storage: "tank", delete: 1 })).toBe("OK");
    expect(await config(200)).not.toHaveProperty("unused0");
    expect(await ask("GET /nodes/pve1/storage/thin/content", { vmid: 200 })).toEqual([]);
  });

  test("keeps the options of the drive, on a running VM as well", async () => {
    await set(200, { scsi0: "thin:vm-200-disk-0,discard=on" });
    await run("POST /nodes/pve1/qemu/200/status/start");
    expect(await move({ storage: "tank" })).toBe("OK");
    expect(await config(200, { current: 1 })).toMatchObject({ scsi0: "tank:vm-200-disk-0,discard=on,size=10G" });
  });

  test.each<[string, Form, string]>([
    ["to where it is", { storage: "thin" }, "500 you can't move to the same storage with same format"],
    ["that is not there", { storage: "tank", disk: "scsi4" }, "500 disk 'scsi4' does not exist"],
    ["that is a CD", { storage: "tank", disk: "ide2" }, "500 you can't move a cdrom"],
    ["to nowhere", { storage: "nope" }, "500 storage 'nope' does not exist"],
    [
      "to a storage and a VM",
      { storage: "tank", "target-vmid": 201 },
      "storage: either set 'storage' or 'target-vmid', but not both",
    ],
  ])("is refused for one %s", async (_, options, complaint) => {
    await set(200, { ide2: "none,media=cdrom" });
    expect(await move(options)).toContain(complaint);
  });

  test("does not take a snapshot along", async () => {
    await run("POST /nodes/pve1/qemu/200/snapshot", { snapname: "then" });
    expect(await move({ storage: "tank", delete: 1 })).toBe(
      "500 you can't move a disk with snapshots and delete the source",
    );
    expect(await move({ storage: "tank" })).toBe("OK");
  });
});

describe("giving a disk to another VM", () => {
  const give = (options: Form) => run("POST /nodes/pve1/qemu/200/move_disk", { disk: "scsi1", ...options });

  beforeEach(async () => {
    await set(200, { scsi1: "thin:1,discard=on" });
    await create(300, { scsi0: "thin:1" });
  });

  test("names it anew", async () => {
    expect(await give({ "target-vmid": 300, "target-disk": "virtio3" })).toBe("OK");
    expect(await config(200)).not.toHaveProperty("scsi1");
    expect(await config(300)).toMatchObject({ virtio3: "thin:vm-300-disk-1,discard=on,size=1G" });
  });

  test.each<[string, Form, string]>([
    ["itself", { "target-vmid": 200 }, "400 Parameter verification failed."],
    ["no VM", { "target-vmid": 299 }, "299"],
    [
      "a bus that cannot take its options",
      { "target-vmid": 300, "target-disk": "virtio0" },
      "failed to parse source disk",
    ],
    ["a slot that is taken", { "target-vmid": 300, "target-disk": "scsi0" }, "scsi0"],
  ])("is refused for %s", async (_, options, complaint) => {
    await set(200, { scsi1: "thin:vm-200-disk-1,ssd=1" });
    const outcome = await give(options);
    expect(outcome).not.toBe("OK");
    expect(outcome).toContain(complaint);
    expect(await config(200)).toHaveProperty("scsi1");
  });
});

describe("snapshots", () => {
  const path = "/nodes/pve1/qemu/200/snapshot";
  const take = (snapname: string, options: Form = {}) => run(`POST ${path}`, { snapname, ...options });

  test("form a chain, with the present at its end", async () => {
    await take("one", { description: "first" });
    await take("two");
    expect(await ask(`GET ${path}`)).toEqual([
      { name: "one", description: "first", snaptime: expect.any(Number), vmstate: 0 },
      { name: "two", description: "", parent: "one", snaptime: expect.any(Number), vmstate: 0 },
      {
        name: "current",
        description: "You are here!",
        parent: "two",
        running: 0,
        digest: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ]);
  });

  test("remember the configuration, and bring it back", async () => {
    await take("one");
    await set(200, { cores: 8, delete: "name" });
    expect(await config(200, { snapshot: "one" })).toMatchObject({ cores: 2, name: "web" });
    expect(await run(`POST ${path}/one/rollback`)).toBe("OK");
    expect(await config(200)).toMatchObject({ cores: 2, name: "web", parent: "one" });
  });

  test("bring a VM back running if they saved its memory", async () => {
    await run("POST /nodes/pve1/qemu/200/status/start");
    expect(await take("live", { vmstate: 1 })).toBe("OK");
    await run("POST /nodes/pve1/qemu/200/status/stop");
    expect(await run(`POST ${path}/live/rollback`)).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/200/status/current")).toMatchObject({ status: "running" });
    expect(await config(200, { snapshot: "live" })).toMatchObject({
      vmstate: "thin:vm-200-state-live",
      runningmachine: expect.stringMatching(/^pc-i440fx-/),
    });
  });

  test("can be described later, and deleted", async () => {
    await take("one");
    await take("two");
    expect(await ask(`PUT ${path}/one/config`, { description: "new" })).toBeNull();
    expect(await ask(`GET ${path}/one/config`)).toMatchObject({ description: "new" });
    expect(await run(`DELETE ${path}/one`)).toBe("OK");
    const list = (await ask(`GET ${path}`)) as { name: string; parent?: string }[];
    expect(list.map(({ name, parent }) => [name, parent])).toEqual([
      ["two", undefined],
      ["current", "two"],
    ]);
  });

  test.each([
    ["a name that is taken", "one", "snapshot name 'one' already used"],
    ["a name that means something else", "current", "500 unable to use snapshot name 'current' (reserved name)"],
    ["a name that is none", "1x", "400 Parameter verification failed."],
  ])("are not taken with %s", async (_, name, complaint) => {
    await take("one");
    expect(await take(name)).toContain(complaint);
  });

  test("are not taken of templates, nor on storages that cannot", async () => {
    expect(await run("POST /nodes/pve1/qemu/900/snapshot", { snapname: "one" })).toBe(
      "you can't take a snapshot if it's a template",
    );
    await create(300, { scsi0: "thick:1" });
    expect(await run("POST /nodes/pve1/qemu/300/snapshot", { snapname: "one" })).toBe(
      "snapshot feature is not available",
    );
  });

  test.each(["POST /rollback", "DELETE "])("that are not there cannot be used: %s", async (line) => {
    const [method, rest = ""] = line.split(" ");
    expect(await run(`${method} ${path}/none${rest}`)).toBe("snapshot 'none' does not exist");
    expect(lastLog()).toEqual([]);
  });
});
