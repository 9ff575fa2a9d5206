import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute, grantLittle } from "../resource-bench.ts";
import { Bench } from "./suite.ts";

let bench: Bench;
let archive: string;

beforeAll(async () => {
  bench = await Bench.openWith();
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
  archive = await bench.backUp(301);
});
afterAll(() => bench.close());

const restored = (more: Record<string, Input> = {}, restore: Record<string, Input> = {}) => ({
  name: "copy",
  vmid: 501,
  node: "pve1",
  power: "stopped",
  restore: { archive, ...restore },
  ...more,
});
const planned = async (config: Input) => {
  await bench.configure();
  const plan = await bench.vm.plan(null, config);
  return { at: (...path: string[]) => attribute({ state: plan.planned } as never, ...path), warnings: plan.warnings };
};

describe("a restored VM", () => {
  test("equals the VM that was backed up", async () => {
    const made = await bench.vm.create(restored());
    expect({ ...bench.portable(501), name: "shop" }).toEqual(bench.portable(301));
    expect(bench.config(501)["vmgenid"]).not.toBe(bench.config(301)["vmgenid"]);
    expect(bench.volumes(501)).toEqual([
      "local-lvm:vm-501-cloudinit",
      "local-lvm:vm-501-disk-0",
      "local-zfs:vm-501-disk-0",
    ]);
    expect(attribute(made, "description")).toBe("The shop\n\nIts **owner**: 100% ops: yes");
    expect(attribute(made, "inherited")).toEqual(["scsi0", "scsi1", "ide2", "net0"]);
    await bench.vm.destroy(made);
    expect(bench.backups(301)).toEqual([archive]);
  });

  test("has what is configured, over what the backup says", async () => {
    const config = restored(
      {
        cpu: { cores: 4 },
        description: "another",
        disks: { scsi0: { size: "8G" }, scsi1: { storage: "ceph" }, scsi2: { storage: "ceph", size: "1G" } },
        networks: { net0: { vlan: 30 } },
        tags: ["test"],
        pool: "lab",
        power: "running",
      },
      { storage: "local-zfs" },
    );
    const made = await bench.vm.create(config);
    expect(bench.config(501)).toMatchObject({
      name: "copy",
      cores: "4",
      memory: "3072",
      description: "another",
      scsi0: "local-zfs:vm-501-disk-0,discard=on,size=8G,ssd=1",
      scsi1: "ceph:vm-501-disk-1,size=2G",
      scsi2: "ceph:vm-501-disk-0,size=1G",
      net0: "virtio=BC:24:11:00:03:01,bridge=vmbr0,tag=30",
      tags: "test",
    });
    expect(bench.guest(501).run).toBeDefined();
    const { cpu: _, networks: __, description: ___, ...less } = config as Record<string, Input>;
    await bench.vm.update(made, { ...less, restart_policy: "when_needed" });
    expect(bench.config(501)).toMatchObject({
      cores: "3",
      net0: "virtio=BC:24:11:00:03:01,bridge=vmbr0,tag=20",
    });
    expect(bench.config(501)["description"]?.trim()).toBe("The shop\n\nIts **owner**: 100% ops: yes");
  });

  test("is shown in the plan as the backup has it", async () => {
    const { at, warnings } = await planned(restored({ disks: { scsi0: { size: "6G" } } }));
    expect(at("cpu", "cores")).toBe(3);
    expect(at("memory", "size")).toBe("3G");
    expect(at("description")).toBe("The shop\n\nIts **owner**: 100% ops: yes");
    expect(at("disks", "scsi0", "storage")).toBe("local-lvm");
    expect(at("mac_addresses", "net0")).toBe("BC:24:11:00:03:01");
    expect(at("inherited")).toEqual(["scsi1", "ide2", "net0"]);
    expect(at("node")).toBe("pve1");
    expect(warnings.map(({ summary }) => summary)).toEqual(["MAC addresses exist twice"]);
    const elsewhere = await planned(restored({ disks: { scsi0: { size: "6G" } } }, { storage: "ceph", unique: true }));
    expect(elsewhere.at("disks", "scsi0", "storage")).toBe("ceph");
    expect(elsewhere.warnings).toEqual([]);
  });

  test("gets new MAC addresses and a new UUID with `unique`", async () => {
    await bench.vm.create(restored({}, { unique: true }));
    expect(bench.config(501)["net0"]).toMatch(/^virtio=BC:24:11:(?!00:03:01)[0-9A-F:]+,bridge=vmbr0,tag=20$/);
    expect(bench.config(501)["smbios1"]).not.toBe(bench.config(301)["smbios1"]);
  });

  test("takes the name and the node of the backup where none is given", async () => {
    const { name: _, node: __, ...bare } = restored();
    const local = await bench.backUp(301, "local");
    const taken = bench.vm.plan(null, { ...bare, restore: { archive: local } });
    await expect(taken).rejects.toThrow(/Name taken[\s\S]*named "shop" exists already: VMID 301/);
    await bench.configure();
    const made = await bench.vm.create({ ...bare, allow_duplicate_name: true, restore: { archive: local } });
    expect([attribute(made, "name"), attribute(made, "node")]).toEqual(["shop", "pve1"]);
  });

  test("is protected in the end if the backup says so, and can be changed before", async () => {
    bench.guest(301).config["protection"] = "1";
    const of = await bench.backUp(301);
    const made = await bench.vm.create(restored({ disks: { scsi0: { size: "8G" } }, restore: { archive: of } }));
    expect(bench.config(501)["protection"]).toBe("1");
    expect(attribute(made, "protection")).toBe(true);
  });

  test("is a template if the backup contains one", async () => {
    bench.guest(301).config["template"] = "1";
    Object.assign(bench.guest(301), { run: undefined });
    const of = await bench.backUp(301);
    const { power: _, ...config } = restored({ restore: { archive: of } });
    const { at } = await planned(config);
    expect([at("template"), at("status")]).toEqual([true, "stopped"]);
    await bench.configure();
    await bench.vm.create(config);
    expect(bench.config(501)).toMatchObject({ template: "1", scsi0: expect.stringContaining("base-501-disk-0") });
    await expect(bench.vm.plan(null, { ...config, vmid: 502, name: "c2", template: false })).rejects.toThrow(
      "The backup contains a template",
    );
    const live = { ...config, vmid: 503, name: "c3", restore: { archive: of, live: true } };
    await expect(bench.vm.plan(null, live)).rejects.toThrow("No live restore of a template");
  });

  test("lacks the disks that the backup leaves out, and the plan says so", async () => {
    bench.guest(301).config["scsi1"] += ",backup=0";
    const of = await bench.backUp(301);
    const config = restored({ restore: { archive: of } });
    const { warnings } = await planned(config);
    expect(warnings.map(({ detail }) => detail).join()).toContain("`scsi1` had `backup = false`");
    await bench.configure();
    await bench.vm.create(config);
    expect(bench.config(501)["scsi1"]).toBeUndefined();
    expect(bench.config(501)["description"]?.trim()).toBe("The shop\n\nIts **owner**: 100% ops: yes");
  });

  test("is imported, and stays as it is when a newer backup is configured", async () => {
    const made = await bench.vm.create(restored());
    const imported = await bench.vm.import({ id: "501" });
    expect(attribute(imported, "name")).toBe("copy");
    expect((await bench.vm.plan(imported, { name: "copy", vmid: 501, node: "pve1" })).action).toBe("no-op");
    const newer = await bench.backUp(301);
    expect(newer).not.toBe(archive);
    const plan = await bench.vm.plan(made, restored({ restore: { archive: newer } }));
    expect(plan.action).toBe("no-op");
    expect(plan.warnings.map(({ summary }) => summary)).toEqual(["Source is not read again"]);
    const other = await bench.vm.plan(
      made,
      restored({ restore: { archive: newer }, replace_on_source_change: true, allow_duplicate_name: true }),
    );
    expect(other.action).toBe("replace");
  });
});

test("an archive that is not known yet is restored in the apply", async () => {
  const { unknown } = await import("../../harness/index.ts");
  await bench.vm.create(restored(), restored({ restore: { archive: unknown } }));
  expect(bench.config(501)).toMatchObject({ name: "copy", cores: "3" });
});

describe("the plan refuses", () => {
  test.each<[string, () => Record<string, Input>, string | RegExp]>([
    ["what is no backup", () => ({ restore: { archive: "local:iso/a.iso" } }), "Must be the volume ID of a backup"],
    [
      "a backup of a container",
      () => ({ restore: { archive: archive.replace("qemu", "lxc") } }),
      /Backup of a container[\s\S]*Restore it as `proxmox_container`/,
    ],
    ["two sources", () => ({ clone: { template: "9000" } }), "there are `clone` and `restore`"],
    [
      "a backup that does not exist",
      () => ({ restore: { archive: archive.replace(/\d{4}_/, "2001_") } }),
      /No such backup[\s\S]*does not exist on pve1[\s\S]*vzdump-qemu-301-/,
    ],
    [
      "a storage that does not exist",
      () => ({ restore: { archive: archive.replace("nas:", "gone:") } }),
      /No such storage[\s\S]*`gone` does not exist/,
    ],
    [
      "a storage without backups",
      () => ({ restore: { archive: archive.replace("nas:", "ceph:") } }),
      /Storage does not take it[\s\S]*not for `backup`/,
    ],
    [
      "disks on a storage that takes none",
      () => ({ restore: { archive, storage: "local" } }),
      /Storage does not take it[\s\S]*not for `images`/,
    ],
    ["a smaller disk", () => ({ disks: { scsi0: { size: "1G" } } }), "Disks cannot shrink"],
    [
      "a live restore from a file",
      () => ({ restore: { archive, live: true } }),
      /No live restore from here[\s\S]*storage of type `nfs`/,
    ],
    ["a VMID in use", () => ({ vmid: 301 }), "VMID 301 is taken"],
  ])("%s", async (_, more, text) => {
    await expect(bench.vm.plan(null, restored(more()))).rejects.toThrow(text);
    expect(bench.has(501)).toBe(false);
  });

  test("a storage of the backup that is gone, with the cure", async () => {
    delete bench.simulator.sim.world.storages["local-zfs"];
    await bench.configure();
    await expect(bench.vm.plan(null, restored())).rejects.toThrow(
      /`local-zfs` does not exist[\s\S]*`restore.storage` puts all of them on another one/,
    );
  });

  test("a backup that only another node has, with the cure", async () => {
    const local = await bench.backUp(301, "local");
    await expect(bench.vm.plan(null, restored({ node: "pve2", restore: { archive: local } }))).rejects.toThrow(
      /is not on pve2, but on `pve1`. Set `node = "pve1"`/,
    );
  });

  test("what the caller may not do", async () => {
    grantLittle(bench.simulator);
    await bench.configure("noacl@pve!tf");
    await expect(bench.vm.plan(null, restored())).rejects.toThrow(/Privileges missing[\s\S]*\/vms\/301: VM.Backup/);
  });
});

test("a live restore from a Proxmox Backup Server leaves a VM that runs, with what is configured", async () => {
  const { world } = bench.simulator.sim;
  const options = { server: "192.0.2.210", datastore: "tank", username: "ops@pbs", content: "backup" };
  world.storages["pbs"] = { ...structuredClone(world.storages["nas"]), storage: "pbs", type: "pbs", options } as never;
  const file = world.volumes.find(({ volid }) => volid === archive);
  const volid = "pbs:backup/vm/301/2026-01-01T00:00:00Z";
  world.volumes.push({ ...structuredClone(file), volid, format: "pbs-vm", node: undefined } as never);
  await bench.configure();
  const made = await bench.vm.create(restored({ power: "running", cpu: { cores: 4 } }, { archive: volid, live: true }));
  expect(attribute(made, "status")).toBe("running");
  expect(bench.config(501)).toMatchObject({ name: "copy", cores: "4", memory: "3072" });
  expect(attribute(made, "pending")).toEqual([]);
});
