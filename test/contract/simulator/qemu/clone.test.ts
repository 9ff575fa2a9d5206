import { describe, expect, test } from "vitest";
import { vmLab, vmSeed } from "./vm-lab.ts";

const disk = (volume: string) => ({ name: "golden", template: 1, scsi0: `${volume},size=2G` });

const lab = vmLab({
  ...vmSeed,
  guests: [
    ...vmSeed.guests,
    { vmid: 901, config: disk("tank:base-901-disk-0") },
    { vmid: 902, config: disk("ceph:base-902-disk-0") },
    { vmid: 903, config: disk("local:903/base-903-disk-0.qcow2") },
    { vmid: 904, config: disk("thick:vm-904-disk-0") },
    { vmid: 905, config: disk("share:905/base-905-disk-0.raw") },
  ],
});
const { ask, run, create, config, set, lastLog } = lab;

type Form = Record<string, string | number>;
const clone = (source: number, options: Form = {}, token?: string) =>
  run(`POST /nodes/pve1/qemu/${source}/clone`, { newid: 300, ...options }, token);

describe("a linked clone", () => {
  test.each([
    [900, "thin:vm-300-disk-0,size=2G"],
    [901, "tank:base-901-disk-0/vm-300-disk-0,size=2G"],
    [902, "ceph:base-902-disk-0/vm-300-disk-0,size=2G"],
    [903, "local:903/base-903-disk-0.qcow2/300/vm-300-disk-0.qcow2,size=2G"],
    [905, "share:905/base-905-disk-0.raw/300/vm-300-disk-0.qcow2,size=2G"],
  ])("of template %i has the disk %s", async (source, expected) => {
    expect(await clone(source)).toBe("OK");
    expect((await config(300))["scsi0"]).toBe(expected);
  });

  test.each<[string, number, Form, string]>([
    ["of a thick volume", 904, {}, "500 Linked clone feature is not supported for 'thick:vm-904-disk-0' (scsi0)"],
    ["of a VM", 200, { full: 0 }, "500 Linked clone feature is not supported for 'thin:vm-200-disk-0' (scsi0)"],
    ["elsewhere", 900, { storage: "tank" }, "500 parameter 'storage' not allowed for linked clones"],
    ["in another format", 900, { format: "raw" }, "500 parameter 'format' not allowed for linked clones"],
  ])("is not to be had %s", async (_, source, options, expected) => {
    expect(await clone(source, options)).toBe(expected);
  });

  test("of a snapshot is possible where the storage can", async () => {
    await run("POST /nodes/pve1/qemu/200/snapshot", { snapname: "then" });
    expect(await clone(200, { full: 0, snapname: "then" })).toBe("OK");
    expect((await config(300))["scsi0"]).toBe("thin:vm-300-disk-0,size=10G");
  });
});

describe("a full clone", () => {
  test.each<[number, Form, string]>([
    [900, {}, "thin:vm-300-disk-0,size=2G"],
    [900, { storage: "tank" }, "tank:vm-300-disk-0,size=2G"],
    [900, { storage: "local" }, "local:300/vm-300-disk-0.raw,size=2G"],
    [900, { storage: "local", format: "qcow2" }, "local:300/vm-300-disk-0.qcow2,size=2G"],
    [903, {}, "local:300/vm-300-disk-0.qcow2,size=2G"],
    [903, { format: "raw" }, "local:300/vm-300-disk-0.raw,size=2G"],
    [903, { storage: "thin" }, "thin:vm-300-disk-0,size=2G"],
    [904, { storage: "thick" }, "thick:vm-300-disk-0,size=2G"],
  ])("of %i with %j has the disk %s", async (source, options, expected) => {
    expect(await clone(source, { full: 1, ...options })).toBe("OK");
    expect((await config(300))["scsi0"]).toBe(expected);
  });

  test("is what a VM gets", async () => {
    expect(await clone(200)).toBe("OK");
    expect(lastLog()).toContain("create full clone of drive scsi0 (thin:vm-200-disk-0)");
    expect(await config(300)).toMatchObject({ name: "Copy-of-VM-web", scsi0: "thin:vm-300-disk-0,size=10G" });
  });
});

describe("a clone", () => {
  test("is like its source, but for its identity", async () => {
    await create(301, {
      name: "source",
      tags: "a",
      protection: 1,
      net0: "virtio=00:11:22:33:44:55,bridge=vmbr0,tag=5",
      ide2: "thin:cloudinit",
      scsi0: "thin:1",
      ciuser: "me",
    });
    const before = await config(301);
    expect(await clone(301, { name: "copy", description: "mine" })).toBe("OK");
    const { net0, smbios1, vmgenid, ...after } = await config(300);
    const { net0: _, smbios1: uuid, vmgenid: generation, ...same } = before;
    expect(after).toEqual({
      ...same,
      name: "copy",
      description: "mine",
      ide2: "thin:vm-300-cloudinit,media=cdrom,size=4M",
      scsi0: "thin:vm-300-disk-0,size=1G",
    });
    expect(net0).toMatch(/^virtio=BC:24:11(:[0-9A-F]{2}){3},bridge=vmbr0,tag=5$/);
    expect([smbios1, vmgenid]).not.toContain(uuid);
    expect(vmgenid).not.toBe(generation);
  });

  test("of a running VM has what the VM runs with", async () => {
    await run("POST /nodes/pve1/qemu/200/status/start");
    await set(200, { cores: 8, name: "renamed" });
    expect(await clone(200)).toBe("OK");
    expect(await config(300)).toMatchObject({ cores: 2, name: "Copy-of-VM-renamed" });
  });

  test("has no unused disks of its source, and a pool of its own", async () => {
    await ask("POST /pools", { poolid: "blue" });
    await set(200, { scsi1: "thin:1" });
    await set(200, { delete: "scsi1" });
    expect(await clone(200, { pool: "blue" })).toBe("OK");
    expect(await config(300)).not.toHaveProperty("unused0");
    expect(await ask("GET /pools/blue")).toMatchObject({ members: [expect.objectContaining({ vmid: 300 })] });
  });

  test("goes to another node if all its volumes are there too", async () => {
    expect(await clone(905, { target: "pve2", name: "far" })).toBe("OK");
    expect(await ask("GET /nodes/pve1/qemu/300/config")).toMatch(/^500 Configuration file/);
    expect(await config(300, {}, "pve2")).toMatchObject({ name: "far" });
  });

  test("is seen, and locked, while it is made", async () => {
    const done = clone(900, { full: 1, storage: "tank", bwlimit: 20_000 });
    await expect.poll(() => ask("GET /nodes/pve1/qemu/300/config")).toMatchObject({ lock: "clone" });
    expect(await run("POST /nodes/pve1/qemu/300/status/start")).toBe(
      "can't lock file '/var/lock/qemu-server/lock-300.conf' - got timeout",
    );
    expect(await done).toBe("OK");
    expect(await config(300)).not.toHaveProperty("lock");
  });

  test.each<[string, number, Form, string]>([
    ["of nothing", 299, {}, "500 unable to find configuration file for VM 299 on node 'pve1'"],
    ["to an id that is taken", 900, { newid: 200 }, "500 unable to create VM 200: config file already exists"],
    [
      "to an id that is taken on another node",
      900,
      { newid: 201 },
      "close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/201.conf' failed: File exists",
    ],
    ["of a snapshot that is not there", 200, { snapname: "none" }, "500 snapshot 'none' does not exist"],
    ["to a storage that is not there", 900, { full: 1, storage: "nope" }, "500 storage 'nope' does not exist"],
    ["to a pool that is not there", 900, { pool: "none" }, "403 Permission check failed (pool 'none' does not exist)"],
    ["to a node that is not there", 905, { target: "pve7" }, "500 no such cluster node 'pve7'"],
    [
      "to another node with local disks",
      900,
      { target: "pve2" },
      "500 can't clone VM to node 'pve2' (VM uses local storage)",
    ],
    [
      "to another node onto a local storage",
      905,
      { target: "pve2", full: 1, storage: "thin" },
      "500 can't clone to non-shared storage 'thin'",
    ],
  ])("is not made %s", async (_, source, options, expected) => {
    expect(await clone(source, options)).toBe(expected);
  });

  test("is not made of what is locked", async () => {
    lab.lock(900, "backup");
    expect(await clone(900)).toBe("500 VM is locked (backup)");
  });
});

describe("a template", () => {
  test("is made of a stopped VM", async () => {
    expect(await run("POST /nodes/pve1/qemu/200/template")).toBe("OK");
    expect(await config(200)).toMatchObject({ template: 1, scsi0: "thin:base-200-disk-0,size=10G" });
    expect(await ask("GET /nodes/pve1/qemu/200/status/current")).toMatchObject({ template: 1 });
  });

  test("is not made twice, nor of a running VM, nor of one with snapshots", async () => {
    expect(await ask("POST /nodes/pve1/qemu/900/template")).toBe("500 you can't convert a template to a template");
    await run("POST /nodes/pve1/qemu/200/snapshot", { snapname: "then" });
    expect(await ask("POST /nodes/pve1/qemu/200/template")).toBe(
      "500 unable to create template, because VM contains snapshots",
    );
    await create(300);
    await run("POST /nodes/pve1/qemu/300/status/start");
    expect(await ask("POST /nodes/pve1/qemu/300/template")).toBe(
      "500 you can't convert a VM to template if VM is running",
    );
  });

  test.each([
    [901, "tank:base-901-disk-0"],
    [902, "ceph:base-902-disk-0"],
    [903, "local:903/base-903-disk-0.qcow2"],
  ])("%i keeps its disk while clones are linked to it", async (source, base) => {
    await clone(source);
    expect(await run(`DELETE /nodes/pve1/qemu/${source}`)).toBe(
      `base volume '${base}' is still in use by linked cloned`,
    );
    expect(await run("DELETE /nodes/pve1/qemu/300")).toBe("OK");
    expect(await run(`DELETE /nodes/pve1/qemu/${source}`)).toBe("OK");
  });
});

describe("what can be done with a VM", () => {
  test.each<[number, string, boolean]>([
    [200, "snapshot", true],
    [200, "clone", false],
    [200, "copy", true],
    [900, "clone", true],
    [904, "clone", false],
    [904, "snapshot", false],
  ])("%i can %s: %s", async (vmid, feature, hasFeature) => {
    expect(await ask(`GET /nodes/pve1/qemu/${vmid}/feature`, { feature })).toMatchObject({
      hasFeature: hasFeature ? 1 : 0,
    });
  });
});
