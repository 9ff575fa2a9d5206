import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { LookupBench } from "../data-sources/lookup-bench.ts";
import states from "../moves/bpg-states.json" with { type: "json" };
import { attribute } from "../resource-bench.ts";

const terabyte = 1e12;

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed: defaultSeed() });
});
beforeEach(async () => {
  bench.simulator.reset();
  const node = bench.simulator.sim.world.nodes["pve1"];
  const disk = (letter: string, used?: string) => ({
    devpath: `/dev/sd${letter}`,
    size: terabyte,
    model: "DISK",
    serial: letter,
    type: "ssd" as const,
    ...(used !== undefined && { used }),
  });
  if (node) node.disks = [disk("a", "LVM"), disk("b"), disk("c"), disk("d"), disk("e")];
  await bench.configure();
});
afterAll(() => bench.close());

const link = (letter: string) => `/dev/disk/by-id/ata-DISK_${letter}`;
const host = () => bench.simulator.sim.world.nodes["pve1"];
const used = (letter: string) => host()?.disks?.find(({ devpath }) => devpath === `/dev/sd${letter}`)?.used;
const pools = () => (host()?.diskPools ?? []).map(({ type, name, devices }) => `${type} ${name} ${devices.join()}`);
const lose = (call: string, after: boolean) =>
  bench.simulator.faults.order({ do: "answer", call, status: 596, ...(after && { after: 1 }) });

const uses: [type: string, base: Record<string, Input>, made: string, path: string][] = [
  [
    "proxmox_node_zfs_pool",
    { node: "pve1", name: "tank", raid_level: "mirror", devices: [link("b"), "/dev/sdc"] },
    "zfs tank /dev/sdb,/dev/sdc",
    "zfs",
  ],
  ["proxmox_node_lvm", { node: "pve1", name: "fast", device: "/dev/sdb" }, "lvm fast /dev/sdb", "lvm"],
  ["proxmox_node_lvmthin", { node: "pve1", name: "thin", device: link("b") }, "lvmthin thin /dev/sdb", "lvmthin"],
  [
    "proxmox_node_directory",
    { node: "pve1", name: "backup", device: "/dev/sdb", filesystem: "xfs" },
    "directory backup /dev/sdb",
    "directory",
  ],
];

describe.each(uses)("%s", (type, base, made, path) => {
  const resource = () => bench.resource(type);
  const id = `pve1/${String(base["name"])}`;
  const calls = { create: `POST /nodes/{node}/disks/${path}`, remove: `DELETE /nodes/{node}/disks/${path}/{name}` };

  test("is made, imported, and kept when it is destroyed", async () => {
    const now = await resource().create(base);
    expect(pools()).toEqual([made]);
    const imported = await resource().import({ id });
    await resource().update(imported, base);
    const { warnings } = await resource().planDestroy(now);
    expect(warnings).toMatchObject([{ summary: "Data stays" }]);
    await resource().destroy(now);
    expect(pools()).toEqual([made]);
    expect(used("b")).toBeDefined();
  });

  test("was imported without its disks, which a new one cannot be made without", async () => {
    const disks = "devices" in base ? "devices" : "device";
    const bare = { ...base, [disks]: null };
    await expect(resource().plan(null, bare)).rejects.toThrow(`${disks} is null. A value is required to create it.`);
    await resource().create(base);
    await bench.configure();
    const imported = await resource().import({ id });
    expect((await resource().plan(imported, bare)).action).not.toBe("replace");
    await resource().destroy(await resource().update(imported, { ...bare, destroy_data: true }));
    expect(pools()).toEqual([]);
  });

  test("is destroyed with its data where that was applied before, and the plan says so", async () => {
    const now = await resource().update(await resource().create(base), { ...base, destroy_data: true });
    const { warnings } = await resource().planDestroy(now);
    expect(warnings).toMatchObject([
      { summary: "All data is destroyed", detail: expect.stringMatching(/(is|are) wiped/) },
    ]);
    await resource().destroy(now);
    expect(pools()).toEqual([]);
    expect(used("b")).toBeUndefined();
  });

  test("survives answers that are lost", async () => {
    lose(calls.create, false);
    await expect(resource().create(base)).rejects.toThrow("The answer was lost");
    lose(calls.create, true);
    const now = await resource().create({ ...base, destroy_data: true });
    lose(calls.remove, true);
    await resource().destroy(now);
    expect(pools()).toEqual([]);
  });

  test("that exists is refused in the plan with the import block, and at apply when it was made since", async () => {
    const elsewhere = "devices" in base ? { devices: ["/dev/sdd", "/dev/sde"] } : { device: "/dev/sdd" };
    const plan = await resource().plan(null, { ...base, ...elsewhere });
    await resource().create(base);
    await bench.configure();
    await expect(resource().plan(null, { ...base, ...elsewhere })).rejects.toThrow(`id = "${id}"`);
    await expect(resource().apply(plan)).rejects.toThrow("exists already");
  });

  test("that was removed by hand is found missing", async () => {
    const now = await resource().create({ ...base, destroy_data: true });
    const node = host();
    if (node) node.diskPools = [];
    expect(await resource().find(now)).toBeNull();
    await resource().destroy(now);
  });

  test("a disk in use, one that is not there, and another node are refused", async () => {
    const on = (device: string) => ("devices" in base ? { devices: [device, "/dev/sdd"] } : { device });
    await expect(resource().plan(null, { ...base, ...on("/dev/sda") })).rejects.toThrow(
      /`\/dev\/sda` of node pve1 is in use \(LVM\).*ata-DISK_b/s,
    );
    await expect(resource().plan(null, { ...base, ...on("/dev/sdz") })).rejects.toThrow("has no disk `/dev/sdz`");
    await expect(resource().plan(null, { ...base, ...on("sdb") })).rejects.toThrow("Must be the path of a disk");
    await expect(resource().plan(null, { ...base, node: "pve9" })).rejects.toThrow("Node `pve9` does not exist");
  });

  test("that exists is refused in the plan with its import block", async () => {
    await resource().create(base);
    await bench.configure();
    await expect(resource().plan(null, base)).rejects.toThrow(`id = "${id}"`);
  });

  test("is never changed, unless its data may be destroyed", async () => {
    const now = await resource().create(base);
    const other = "devices" in base ? { devices: ["/dev/sdd", "/dev/sde"] } : { device: "/dev/sdd" };
    await expect(resource().plan(now, { ...base, ...other })).rejects.toThrow("apply `destroy_data = true` first");
    const ready = await resource().update(now, { ...base, destroy_data: true });
    const plan = await resource().plan(ready, { ...base, ...other, destroy_data: true });
    expect(plan.action).toBe("replace");
    expect(plan.warnings.map(({ detail }) => detail).join()).toContain("WITH ALL DATA");
    await resource().destroy(await resource().apply(plan));
    expect(pools()).toEqual([]);
  });

  test("is replaced under another name: the plan says what becomes of the data", async () => {
    const now = await resource().create(base);
    const other = "devices" in base ? { devices: ["/dev/sdd", "/dev/sde"] } : { device: "/dev/sdd" };
    const renamed = { ...base, name: "other" };
    await expect(resource().plan(now, { ...renamed, ...other })).rejects.toThrow("Cannot be changed");
    const ready = await resource().update(now, { ...base, destroy_data: true });
    const plan = await resource().plan(ready, { ...renamed, ...other, destroy_data: true });
    expect(plan.action).toBe("replace");
    expect(plan.warnings.map(({ summary }) => summary)).toContain("All data is destroyed");
  });
});

test.each<[string, string[], string]>([
  ["single", ["/dev/sdb", "/dev/sdc"], "`single` takes exactly one disk, and there are 2"],
  ["mirror", ["/dev/sdb"], "`mirror` takes at least 2 disks, and there are 1"],
  ["raid10", ["/dev/sdb", "/dev/sdc", "/dev/sdd"], "an even number of disks, at least 4"],
  ["raidz3", ["/dev/sdb"], "at least 5 disks"],
  ["mirror", ["/dev/sdb", link("b")], "is /dev/sdb, which is named before"],
])("%s of %j is refused", async (raid_level, devices, message) => {
  const config = { node: "pve1", name: "tank", raid_level, devices };
  await expect(bench.resource("proxmox_node_zfs_pool").plan(null, config)).rejects.toThrow(message);
});

test("dRAID has its layout, and no other level", async () => {
  const pool = () => bench.resource("proxmox_node_zfs_pool");
  const base = { node: "pve1", name: "tank", devices: ["/dev/sdb", "/dev/sdc", "/dev/sdd", "/dev/sde"] };
  const draid = { data: 2, spares: 1 };
  await expect(pool().plan(null, { ...base, raid_level: "raidz", draid })).rejects.toThrow("is the layout of dRAID");
  const now = await pool().create({ ...base, raid_level: "draid", draid, ashift: 13, compression: "zstd" });
  expect(attribute(now, "health")).toBe("ONLINE");
  expect(host()?.diskPools?.[0]?.settings).toMatchObject({ raidlevel: "draid", ashift: "13", compression: "zstd" });
});

test("the plan names the storages on what it destroys", async () => {
  const pool = () => bench.resource("proxmox_node_zfs_pool");
  const config = { node: "pve1", name: "tank", raid_level: "single", devices: ["/dev/sdb"], destroy_data: true };
  const now = await pool().create(config);
  await bench.resource("proxmox_storage").create({ id: "vms", nodes: ["pve1"], zfspool: { pool: "tank/vms" } });
  await bench.configure();
  const { warnings } = await pool().planDestroy(now);
  expect(warnings[0]?.detail).toContain("It is the place of storage `vms`.");
});

test("a caller without the privileges is refused in the plan", async () => {
  await bench.configure("terraform@pve!tf");
  const config = { node: "pve1", name: "fast", device: "/dev/sdb" };
  await expect(bench.resource("proxmox_node_lvm").plan(null, config)).rejects.toThrow("Sys.Modify");
});

test("disks of a node are listed, and selected by their use", async () => {
  const { found } = await bench.lookUp("proxmox_node_disks", { node: "pve1" });
  expect(found["devices"]).toEqual(["a", "b", "c", "d", "e"].map((letter) => `/dev/sd${letter}`));
  expect((found["disks"] as object[])[0]).toEqual({
    device: "/dev/sda",
    id_link: link("a"),
    size_bytes: terabyte,
    type: "ssd",
    unused: false,
    use: "LVM",
    model: "DISK",
    vendor: "ATA",
    serial: "a",
    health: "PASSED",
    wearout: "100",
  });
  const { found: unused } = await bench.lookUp("proxmox_node_disks", { node: "pve1", unused: true });
  expect(unused["devices"]).toEqual(["b", "c", "d", "e"].map((letter) => `/dev/sd${letter}`));
  const { found: one } = await bench.lookUp("proxmox_node_disks", { node: "pve1", serial: "c" });
  expect(one["devices"]).toEqual(["/dev/sdc"]);
  await expect(bench.lookUp("proxmox_node_disks", { node: "pve9" })).rejects.toThrow("Node `pve9` does not exist");
});

test("two resources that name one disk are refused in the plan, whatever they call it", async () => {
  await bench.resource("proxmox_node_lvm").plan(null, { node: "pve1", name: "fast", device: "/dev/sdb" });
  const directory = { node: "pve1", name: "backup", device: link("b") };
  await expect(bench.resource("proxmox_node_directory").plan(null, directory)).rejects.toThrow(
    "is also for volume group fast",
  );
  await bench.resource("proxmox_node_lvm").plan(null, { node: "pve1", name: "fast", device: "/dev/sdb" });
});

test("a recorded state of bpg's provider is moved, and needs no change", async () => {
  const old = states.find(({ type }) => type === "proxmox_node_disk_zfs")?.attributes;
  const config = { node: "pve1", name: "tank2", raid_level: "single", devices: ["/dev/sdb"] };
  const pool = () => bench.resource("proxmox_node_zfs_pool");
  await pool().create(config);
  const moved = await pool().move("registry.terraform.io/bpg/proxmox", "proxmox_node_disk_zfs", old ?? {});
  expect(attribute(moved, "destroy_data")).toBeNull();
  expect((await pool().plan(await pool().refresh(moved), config)).action).toBe("no-op");
});
