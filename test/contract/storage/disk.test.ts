import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const disk = () => bench.resource("proxmox_disk");
const vm = () => bench.resource("proxmox_vm");
const world = () => bench.simulator.sim.world;
const owner = 900_000_000;
const volume = `local-lvm:vm-${owner}-data`;
const local = { storage: "local-lvm", node: "pve1", name: "data", size: "4G" };
const volumes = () => world().volumes.filter(({ vmid }) => vmid === owner);
const sizes = () => volumes().map(({ volid, size }) => [volid, size / 2 ** 30]);
const configOf = (vmid: number) => world().guests[vmid]?.config ?? {};
const shell = (vmid: number, disks: Input = {}) => ({
  name: `vm-${vmid}`,
  vmid,
  node: "pve1",
  power: "stopped",
  disks,
});
const lose = (call: string, after: boolean) =>
  bench.simulator.faults.order({ do: "answer", call, status: 596, ...(after && { after: 1 }) });

describe("a disk of its own", () => {
  test.each([
    ["a storage of one node", local, volume, "raw"],
    [
      "a shared storage of files",
      { storage: "nas", name: "data", size: "4G" },
      `nas:${owner}/vm-${owner}-data.raw`,
      "raw",
    ],
    ["qcow2", { storage: "nas", name: "d", size: "4G", format: "qcow2" }, `nas:${owner}/vm-${owner}-d.qcow2`, "qcow2"],
    ["Ceph", { storage: "ceph", name: "data", size: "4G" }, `ceph:vm-${owner}-data`, "raw"],
    ["another owner", { ...local, owner: owner + 7 }, `local-lvm:vm-${owner + 7}-data`, "raw"],
  ])("is allocated on %s, read, imported and destroyed when asked", async (_, config, id, format) => {
    const plan = await disk().plan(null, config);
    expect(attribute({ state: plan.planned } as never, "volume")).toBe(id);
    await bench.configure();
    let now = await disk().create(config);
    expect(now.state).toMatchObject({ volume: id, format, vmid: null, slot: null, node: "pve1" });
    await disk().expectSettled(now, config);
    const imported = await disk().import({ id: `pve1/${id}` });
    expect(imported.state).toEqual({ ...now.state });
    await expect(disk().planDestroy(now)).rejects.toThrow("apply `destroy_data = true` first");
    now = await disk().update(now, { ...config, destroy_data: true });
    expect((await disk().planDestroy(now)).warnings).toMatchObject([{ summary: "All data is destroyed" }]);
    await disk().destroy(now);
    expect(volumes()).toEqual([]);
  });

  test("is imported without its node where that is certain", async () => {
    await disk().create(local);
    expect(attribute(await disk().import({ id: volume }), "node")).toBe("pve1");
    await disk().create({ ...local, node: "pve2" });
    await expect(disk().import({ id: volume })).rejects.toThrow(`pve1/${volume}`);
  });

  test("answers that are lost are looked for", async () => {
    const call = "POST /nodes/{node}/storage/{storage}/content";
    lose(call, false);
    await expect(disk().create(local)).rejects.toThrow("The answer was lost");
    expect(volumes()).toEqual([]);
    await bench.configure();
    lose(call, true);
    const now = await disk().create({ ...local, destroy_data: true });
    expect(sizes()).toEqual([[volume, 4]]);
    lose("DELETE /nodes/{node}/storage/{storage}/content/{volume}", true);
    await disk().destroy(now);
    expect(volumes()).toEqual([]);
  });

  test("that is gone is planned again", async () => {
    const now = await disk().create(local);
    world().volumes = world().volumes.filter(({ vmid }) => vmid !== owner);
    await bench.configure();
    expect(await disk().find(now)).toBeNull();
  });

  test("that exists is refused with its import block, or adopted", async () => {
    await disk().create(local);
    await bench.configure();
    await expect(disk().plan(null, local)).rejects.toThrow(`id = "pve1/${volume}"`);
    const adopted = { ...local, on_existing: "adopt" };
    await bench.configure();
    expect((await disk().plan(null, adopted)).warnings).toMatchObject([{ summary: "Existing disk" }]);
    await bench.configure();
    await expect(disk().create({ ...adopted, size: "8G" })).rejects.toThrow('Write `size = "4G"`');
    await bench.configure();
    expect(attribute(await disk().create(adopted), "volume")).toBe(volume);
    expect(sizes()).toEqual([[volume, 4]]);
  });
});

test("a disk that a guest has is not adopted: the message has its import block", async () => {
  await disk().create(local);
  const guest = Object.values(world().guests).find(({ node, type }) => node === "pve1" && type === "qemu");
  if (guest) guest.config["scsi5"] = `${volume},size=4G`;
  await bench.configure();
  const refused = disk().create({ ...local, on_existing: "adopt" });
  await expect(refused).rejects.toThrow(
    new RegExp(`attached to guest ${guest?.vmid}, in .scsi5.*id = "pve1/${volume}"`, "s"),
  );
});

describe("what cannot be is refused in the plan", () => {
  test.each<[string, Record<string, Input>, string]>([
    ["a storage without images", { storage: "local" }, "not for `images`"],
    ["no such storage", { storage: "nowhere" }, "No such storage"],
    ["no such node", { node: "pve9" }, "No such node"],
    ["no node where several have the storage", { node: null }, "Say on which `node` the disk belongs"],
    ["an owner outside the range", { owner: 101 }, "not within 900000000-900000999"],
    ["a format that the storage cannot hold", { format: "qcow2" }, "cannot hold `qcow2` images"],
    ["a name of Proxmox VE", { name: "cloudinit" }, "a name that Proxmox VE uses itself"],
    ["a name with a slash", { name: "a/b" }, "at most 40 letters"],
    ["no size", { size: "4 GB" }, "Write `4G`"],
    ["a size below an extent", { size: "1M" }, "at least 4M"],
  ])("%s", async (_, change, message) => {
    await expect(disk().plan(null, { ...local, ...change })).rejects.toThrow(message);
  });

  test("an owner that is a guest, and a guest with a VMID of the range", async () => {
    await bench.configure("root@pam!admin", { disk_owners: "9000-9000" });
    await expect(disk().plan(null, local)).rejects.toThrow("VMID 9000 is a VM");
    await bench.configure();
    await expect(vm().plan(null, shell(owner))).rejects.toThrow("reserved for disks");
  });

  test("two disks of one name", async () => {
    await disk().plan(null, local);
    await expect(disk().plan(null, local)).rejects.toThrow("Give each disk its own `name`");
  });

  test.each<[string, Record<string, Input>, string]>([
    ["storage", { storage: "local-zfs" }, "add a second `proxmox_disk` there"],
    ["node", { node: "pve2" }, "cannot be moved to another node"],
    ["name", { name: "other" }, "cannot be renamed"],
    ["owner", { owner: owner + 1 }, "cannot be renamed"],
  ])("another %s, which takes the data with it only if that is asked for", async (_, change, message) => {
    const now = await disk().create(local);
    await expect(disk().plan(now, { ...local, ...change })).rejects.toThrow(message);
    const given = await disk().update(now, { ...local, destroy_data: true });
    const plan = await disk().plan(given, { ...local, ...change });
    expect(plan.action).toBe("replace");
    expect(plan.warnings[0]?.detail).toContain("WITH ALL DATA");
  });

  test("a smaller size; one that was grown by hand stays", async () => {
    const now = await disk().create(local);
    await expect(disk().plan(now, { ...local, size: "2G" })).rejects.toThrow("is 4G and cannot become 2G");
    for (const one of volumes()) one.size = 6 * 2 ** 30;
    await bench.configure();
    const plan = await disk().plan(await disk().refresh(now), local);
    expect(plan.warnings).toMatchObject([{ summary: "Disk has grown" }]);
    expect(plan.action).toBe("no-op");
  });
});

describe("attached to a VM", () => {
  test.each(["stopped", "running"])("it is grown through the VM, which is %s", async (power) => {
    const data = await disk().create(local);
    const config = { ...shell(101, { scsi1: { volume } }), power };
    const made = await vm().create(config);
    expect(attribute(made, "disks", "scsi1", "size")).toBe("4G");
    await bench.configure();
    const attached = await disk().refresh(data);
    expect(attached.state).toMatchObject({ slot: "scsi1" });
    // The VM, planned in the same run, shows the size that the disk will have.
    const growth = await disk().plan(attached, { ...local, size: "6G" });
    const plan = await vm().plan(made, config);
    expect(plan.action).toBe("update");
    const grown = await disk().apply(growth);
    expect(sizes()).toEqual([[volume, 6]]);
    const now = await vm().apply(plan);
    expect(attribute(now, "disks", "scsi1", "size")).toBe("6G");
    await bench.configure();
    await disk().expectSettled(await disk().refresh(grown), { ...local, size: "6G" });
    await vm().expectSettled(await vm().refresh(now), config);
  });

  test("another disk in its slot has its own size", async () => {
    await disk().create(local);
    const other = await disk().create({ storage: "ceph", name: "other", size: "8G" });
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    const now = await vm().update(made, shell(101, { scsi1: { volume: attribute(other, "volume") as string } }));
    expect(attribute(now, "disks", "scsi1", "size")).toBe("8G");
    expect(attribute(now, "unused_disks")).toEqual({});
    expect(sizes()).toEqual([
      [volume, 4],
      [`ceph:vm-${owner}-other`, 8],
    ]);
  });

  test("it counts as attached under the name of another storage on the same pool", async () => {
    const data = await disk().create({ ...local, destroy_data: true });
    await vm().create(shell(101));
    const pool = world().storages["local-lvm"] ?? expect.fail();
    const alias = { ...pool, storage: "thin-again", options: { ...pool.options } };
    world().storages["thin-again"] = alias;
    Object.assign(configOf(101), { scsi1: `${volume.replace("local-lvm", "thin-again")},size=4G` });
    await bench.configure();
    const now = await disk().refresh(data);
    await expect(disk().destroy(now)).rejects.toThrow("Disk is attached");
    expect(volumes()).toHaveLength(1);
    // A volume of that name elsewhere is another one.
    alias.options["thinpool"] = "other";
    await bench.configure();
    await disk().destroy(await disk().refresh(now));
    expect(volumes()).toEqual([]);
  });

  test("it is not grown there", async () => {
    await disk().create(local);
    await expect(vm().plan(null, shell(101, { scsi1: { volume, size: "8G" } }))).rejects.toThrow("is configured there");
  });

  test("it is left when the VM is destroyed, with snapshots, unused entries and everything unreferenced", async () => {
    const data = await disk().create(local);
    const config = { ...shell(101, { scsi1: { volume } }), destroy: { unreferenced_disks: true, purge: true } };
    const made = await vm().create(config);
    const guest = world().guests[101];
    guest?.snapshots && Object.assign(guest.snapshots, { before: { ...guest.config } });
    Object.assign(guest?.config ?? {}, { parent: "before", unused0: volume });
    await bench.configure();
    await vm().destroy(made);
    expect(world().guests[101]).toBeUndefined();
    expect(sizes()).toEqual([[volume, 4]]);
    await disk().expectSettled(await disk().refresh(data), local);
  });

  test("it is detached, although `on_remove` says that volumes are deleted, and goes to another VM", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume, on_remove: "delete" } }));
    const plan = await vm().plan(made, shell(101));
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("stays with its data");
    const next = await vm().plan(null, shell(102, { scsi3: { volume } }));
    const [other] = await Promise.all([vm().apply(next), vm().apply(plan)]);
    expect(sizes()).toEqual([[volume, 4]]);
    expect(configOf(101)["scsi1"]).toBeUndefined();
    expect(configOf(102)["scsi3"]).toContain(volume);
    expect(attribute(other, "disks", "scsi3", "size")).toBe("4G");
  });

  test("a slot that comes back does not get it back", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    const without = await vm().update(made, shell(101));
    const again = await vm().update(without, shell(101, { scsi1: { storage: "local-lvm", size: "1G" } }));
    expect(attribute(again, "disks", "scsi1", "volume")).toBe("local-lvm:vm-101-disk-0");
  });

  test("it is not replaced while a VM has it", async () => {
    const given = await disk().create({ ...local, destroy_data: true });
    await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    await expect(disk().plan(given, { ...local, name: "other" })).rejects.toThrow('is `scsi1` of VM "vm-101"');
    expect(sizes()).toEqual([[volume, 4]]);
  });

  test("it is not destroyed while a VM has it", async () => {
    const config = { ...local, destroy_data: true };
    const data = await disk().create(config);
    await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const plan = await disk().planDestroy(data);
    expect(plan.warnings).toMatchObject([
      { summary: "All data is destroyed" },
      { summary: "Disk is attached", detail: expect.stringContaining('is `scsi1` of VM "vm-101"') },
    ]);
    await bench.configure();
    await expect(disk().destroy(data, plan)).rejects.toThrow("The disk was not changed.");
    expect(sizes()).toEqual([[volume, 4]]);
  });

  test("its removal is refused in the plan if Terraform would have planned that of its VM by then", async () => {
    const data = await disk().create({ ...local, destroy_data: true });
    await vm().create(shell(101, { scsi1: { volume } }));
    const other = await vm().create(shell(102));
    await bench.configure();
    const plans = Promise.all([disk().planDestroy(data), vm().planDestroy(other)]);
    await expect(plans).rejects.toThrow('is `scsi1` of VM "vm-101"');
  });

  test("a run that does one thing at a time may remove it after its VM, though it plans it before", async () => {
    const data = await disk().create({ ...local, destroy_data: true });
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const plans = [await disk().planDestroy(data), await vm().planDestroy(await vm().refresh(made))];
    await bench.configure();
    await vm().destroy(made, plans[1]);
    await disk().destroy(data, plans[0]);
    expect(volumes()).toEqual([]);
  });

  test("it leaves a VM whose change was interrupted, whatever the provider has forgotten", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const forgotten = await vm().refresh({ ...made, private: new Uint8Array() });
    const without = await vm().update(forgotten, shell(101));
    expect(configOf(101)["scsi1"]).toBeUndefined();
    expect(sizes()).toEqual([[volume, 4]]);
    await vm().expectSettled(await vm().refresh(without), shell(101));
  });

  test("it stays in a VM that was imported, and is not given to another one", async () => {
    await disk().create(local);
    await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const found = await vm().import({ id: "101" });
    const next = vm().plan(null, shell(102, { scsi3: { volume } }));
    const plans = Promise.all([next, vm().plan(found, { ...shell(101), description: "new" })]);
    await expect(plans).rejects.toThrow("Disk is attached to another guest");
    expect(configOf(101)["scsi1"]).toContain(volume);
  });

  test("its removal may be planned before that of its VM, and keeps out of the way of one that stays", async () => {
    const data = await disk().create({ ...local, destroy_data: true });
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const seen = await vm().refresh(made);
    expect((await disk().planDestroy(data)).warnings).toMatchObject([{ summary: "All data is destroyed" }]);
    await vm().plan(seen, shell(101, { scsi1: { volume } }));
    await expect(disk().planDestroy(data)).rejects.toThrow('is `scsi1` of VM "vm-101"');
    await bench.configure();
    await Promise.all([disk().destroy(data), vm().destroy(made)]);
    expect(volumes()).toEqual([]);
  });

  test("it is not destroyed while a snapshot needs it, which may be deleted in the same apply", async () => {
    const data = await disk().create({ ...local, destroy_data: true });
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    const snapshot = await bench.resource("proxmox_snapshot").create({ vmid: 101, name: "before" });
    const without = await vm().update(made, shell(101));
    await bench.configure();
    const { warnings } = await disk().planDestroy(data);
    expect(warnings[1]?.detail).toContain("Delete the snapshot first");
    await bench.configure();
    await Promise.all([disk().destroy(data), bench.resource("proxmox_snapshot").destroy(snapshot)]);
    expect(volumes()).toEqual([]);
    await vm().destroy(without);
  });

  test.each(["attached", "loose"])("a VM that an interrupted growth has left is removed (%s)", async (when) => {
    const data = await disk().create(local);
    bench.simulator.faults.order({ do: "fail", task: "qmdestroy", text: "interrupted by signal" });
    await expect(disk().update(data, { ...local, size: "6G" })).rejects.toThrow();
    const [left] = Object.entries(world().guests).filter(([, { config }]) => config["name"]?.startsWith("grow-disk"));
    expect(left?.[1].config["scsi0"]).toContain(volume);
    await bench.configure();
    if (when === "attached") {
      await vm().create(shell(101, { scsi1: { volume } }));
    } else {
      const now = await disk().refresh(data);
      expect((await disk().plan(now, { ...local, size: "6G" })).warnings).toMatchObject([
        { summary: "A temporary VM is removed" },
      ]);
      await disk().update(now, { ...local, size: "6G" });
    }
    expect(Object.values(world().guests).filter(({ config }) => config["name"]?.startsWith("grow-disk"))).toEqual([]);
    expect(sizes()).toEqual([[volume, 6]]);
  });
});

test("a disk that no VM has is grown, and no VM is left", async () => {
  const data = await disk().create(local);
  const before = Object.keys(world().guests);
  const grown = await disk().update(data, { ...local, size: "6G" });
  expect(sizes()).toEqual([[volume, 6]]);
  expect(Object.keys(world().guests)).toEqual(before);
  await disk().expectSettled(grown, { ...local, size: "6G" });
});

test("a VM that could not be made to grow a disk is named", async () => {
  const data = await disk().create(local);
  bench.simulator.faults.order({ do: "no_worker", task: "qmcreate", times: 1 });
  const before = Object.keys(world().guests);
  const grown = await disk().update(data, { ...local, size: "6G" });
  expect(sizes()).toEqual([[volume, 6]]);
  const [stub] = Object.keys(world().guests).filter((vmid) => !before.includes(vmid));
  expect(grown).toMatchObject({ warnings: [{ summary: `VMID ${stub} is left reserved` }] });
});

describe("a VM is refused", () => {
  test("a disk that another VM of the configuration gets", async () => {
    await disk().create(local);
    await vm().plan(null, shell(101, { scsi1: { volume } }));
    await expect(vm().plan(null, shell(102, { scsi1: { volume } }))).rejects.toThrow('is also `scsi1` of "vm-101"');
  });

  test("a disk that another VM of the configuration keeps", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    await vm().plan(made, shell(101, { scsi1: { volume } }));
    await expect(vm().plan(null, shell(102, { scsi1: { volume } }))).rejects.toThrow('is also `scsi1` of "vm-101"');
  });

  test("a disk that a VM outside of the configuration has, in the plan and in the apply", async () => {
    const data = await disk().create(local);
    const plan = await vm().plan(null, shell(102, { scsi1: { volume } }));
    await bench.configure();
    await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    await disk().refresh(data);
    await expect(vm().plan(null, shell(102, { scsi1: { volume } }))).rejects.toThrow("does not take it from there");
    await bench.configure();
    await expect(vm().apply(plan)).rejects.toThrow(/attached to another guest/);
    expect(configOf(102)["scsi1"]).toBeUndefined();
  });

  test("a disk whose removal waits for a restart of another VM", async () => {
    const data = await disk().create(local);
    const made = await vm().create({ ...shell(101, { sata1: { volume } }), power: "running" });
    const without = await vm().update(made, { ...shell(101), power: "running" });
    expect(attribute(without, "pending")).toContain("sata1");
    await bench.configure();
    await disk().refresh(data);
    await expect(vm().plan(null, shell(102, { scsi1: { volume } }))).rejects.toThrow("attached to another guest");
  });

  test("a disk of another node", async () => {
    await disk().create(local);
    const config = { ...shell(101, { scsi1: { volume } }), node: "pve2" };
    await expect(vm().plan(null, config)).rejects.toThrow('Set `node = "pve1"`');
  });

  test("to move to another node with it", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    await bench.configure();
    const config = { ...shell(101, { scsi1: { volume } }), node: "pve2" };
    await expect(vm().plan(made, config)).rejects.toThrow("VM cannot move there");
  });

  test("to become a template with it", async () => {
    await disk().create(local);
    const made = await vm().create(shell(101, { scsi1: { volume } }));
    const config = { ...shell(101, { scsi1: { volume } }), template: true };
    await expect(vm().plan(made, config)).rejects.toThrow("Disk would become part of the template");
    await expect(vm().plan(null, { ...config, vmid: 102, name: "b" })).rejects.toThrow("part of the template");
  });

  test("to move it to another storage", async () => {
    await disk().create(local);
    await vm().create(shell(101, { scsi1: { volume } }));
    const imported = await vm().import({ id: "101" });
    const config = { ...shell(101, { scsi1: { storage: "local-zfs" } }) };
    await expect(vm().plan(imported, config)).rejects.toThrow("Disk cannot be moved");
  });
});

test("a snapshot of another VM that contains the disk, and a disk that belongs to another VM, are warned of", async () => {
  await disk().create(local);
  await vm().create(shell(101, { scsi1: { volume } }));
  const guest = world().guests[101];
  if (guest) {
    guest.snapshots["before"] = { ...guest.config };
    guest.config["parent"] = "before";
    delete guest.config["scsi1"];
  }
  await bench.configure();
  const plan = await vm().plan(null, shell(102, { scsi1: { volume } }));
  expect(plan.warnings).toMatchObject([{ summary: "Snapshots of another guest contain the disk" }]);
  await vm().create(shell(103, { scsi0: { storage: "local-lvm", size: "1G" } }));
  await bench.configure();
  const other = await vm().plan(null, shell(104, { scsi1: { volume: "local-lvm:vm-103-disk-0" } }));
  expect(other.warnings).toMatchObject([{ summary: "Disk of another guest" }]);
});

test("the owners can be chosen, and no guest gets one of them", async () => {
  await bench.configure("root@pam!admin", { disk_owners: "100-110" });
  const data = await disk().create(local);
  expect(attribute(data, "volume")).toBe("local-lvm:vm-100-data");
  const { vmid: _, ...config } = shell(0);
  expect(attribute(await vm().create(config), "vmid")).toBe(111);
});
