import { beforeEach, describe, expect, test } from "vitest";
import { vmLab } from "./vm-lab.ts";

const lab = vmLab();
const { ask, run, config, set } = lab;

/** A volume whose owner is no guest (qemu-server: src/PVE/QemuServer.pm, `vm_is_volid_owner`), in VM 200. */
const volume = "thin:vm-9999-data";
const volumes = () => lab.simulator.sim.world.volumes.map(({ volid }) => volid);

beforeEach(async () => {
  const allocate = { filename: "vm-9999-data", size: "1G", vmid: 9999 };
  expect(await ask("POST /nodes/pve1/storage/thin/content", allocate)).toBe(volume);
  await set(200, { scsi1: volume });
});

describe("a volume of a foreign owner", () => {
  test("has its size in the configuration, and is grown there", async () => {
    expect((await config(200))["scsi1"]).toBe(`${volume},size=1G`);
    expect(await run("PUT /nodes/pve1/qemu/200/resize", { disk: "scsi1", size: "2G" })).toBe("OK");
    expect((await config(200))["scsi1"]).toBe(`${volume},size=2G`);
  });

  test.each([
    ["PUT /nodes/pve1/qemu/200/config", { delete: "scsi1" }],
    ["PUT /nodes/pve1/qemu/200/config", { delete: "scsi1", force: 1 }],
    ["PUT /nodes/pve1/qemu/200/unlink", { idlist: "scsi1", force: 1 }],
  ])("is only detached by %s with %j", async (call, parameters) => {
    await ask(call, parameters);
    const now = await config(200);
    expect([now["scsi1"], now["unused0"]]).toEqual([undefined, undefined]);
    expect(volumes()).toContain(volume);
  });

  test("stays when the VM is destroyed with snapshots, unused entries and everything unreferenced", async () => {
    expect(await run("POST /nodes/pve1/qemu/200/snapshot", { snapname: "before" })).toBe("OK");
    Object.assign(lab.simulator.sim.world.guests[200]?.config ?? {}, { unused0: volume });
    expect(await run("DELETE /nodes/pve1/qemu/200", { purge: 1, "destroy-unreferenced-disks": 1 })).toBe("OK");
    expect(volumes()).toContain(volume);
    expect(volumes().filter((volid) => volid.includes("vm-200-"))).toEqual([]);
  });

  test.each([
    ["with its source", { delete: 1 }],
    ["leaving its source", {}],
  ])("is copied for the VM when it is moved %s: the copy dies with the VM", async (_, more) => {
    expect(await run("POST /nodes/pve1/qemu/200/move_disk", { disk: "scsi1", storage: "tank", ...more })).toBe("OK");
    expect((await config(200))["scsi1"]).toBe("tank:vm-200-disk-0,size=1G");
    const isLeft = !("delete" in more);
    expect((await config(200))["unused0"]).toBe(isLeft ? volume : undefined);
    expect(await run("DELETE /nodes/pve1/qemu/200")).toBe("OK");
    expect(volumes()).not.toContain("tank:vm-200-disk-0");
    expect(volumes().includes(volume)).toBe(isLeft);
  });

  test("is renamed when it is given to another VM, and then belongs to that VM", async () => {
    await lab.create(300);
    const give = { disk: "scsi1", "target-vmid": 300, "target-disk": "scsi0" };
    expect(await run("POST /nodes/pve1/qemu/200/move_disk", give)).toBe("OK");
    expect((await config(300))["scsi0"]).toBe("thin:vm-300-disk-0,size=1G");
    expect(volumes()).not.toContain(volume);
  });

  test("is copied by a full clone, and the copy belongs to the clone", async () => {
    expect(await run("POST /nodes/pve1/qemu/200/clone", { newid: 300, full: 1 })).toBe("OK");
    expect((await config(300))["scsi1"]).toMatch(/^thin:vm-300-disk-\d,size=1G$/);
    expect(volumes()).toContain(volume);
  });

  test("becomes a base image of its owner in a template", async () => {
    expect(await run("POST /nodes/pve1/qemu/200/template")).toBe("OK");
    expect((await config(200))["scsi1"]).toBe("thin:base-9999-data,size=1G");
    expect(volumes()).not.toContain(volume);
  });

  test("keeps the VM on its node", async () => {
    const migrated = await run("POST /nodes/pve1/qemu/200/migrate", { target: "pve2", "with-local-disks": 1 });
    expect(migrated).toBe("migration aborted");
    expect(lab.lastLog().join("\n")).toContain("owned by other VM (owner = VM 9999)");
  });
});
