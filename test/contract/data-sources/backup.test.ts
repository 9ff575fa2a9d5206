import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { LookupBench } from "./lookup-bench.ts";

const guests = [
  { vmid: 301, node: "pve1", config: { name: "a" } },
  { vmid: 302, node: "pve2", config: { name: "b" } },
  { vmid: 303, node: "pve1", type: "lxc", config: { hostname: "c" } },
];
const backups = [
  "nas:backup/vzdump-qemu-301-2026_01_01-00_00_00.vma.zst",
  "nas:backup/vzdump-qemu-301-2026_02_01-00_00_00.vma.zst",
  "nas:backup/vzdump-lxc-303-2026_01_15-00_00_00.tar.zst",
  "local:backup/vzdump-qemu-302-2026_01_20-00_00_00.vma.zst",
];

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed: { ...defaultSeed(), guests, backups } });
  bench.simulator.sim.world.backupJobs["some"] = { type: "vzdump", options: { schedule: "21:00", vmid: "301" } };
  const kept = bench.simulator.sim.world.volumes.find(({ volid }) => volid === backups[0]);
  if (kept) Object.assign(kept, { protected: true, notes: "before the move\nsecond line" });
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;
const ids = (found: Record<string, unknown>) =>
  (found["backups"] as { volume_id: string }[]).map(({ volume_id }) => volume_id);

test("backups of all storages, newest first, and the newest of each guest", async () => {
  const found = await look("proxmox_backups");
  expect(new Set(ids(found))).toEqual(new Set(backups));
  expect(ids(found)[0]).toBe(backups[1]);
  expect(found["newest"]).toMatchObject({ 301: backups[1], 303: backups[2] });
  expect((found["backups"] as object[]).at(-1)).toMatchObject({
    volume_id: backups[0],
    storage: "nas",
    vmid: 301,
    type: "vm",
    format: "vma.zst",
    protected: true,
    encrypted: false,
    notes: "before the move",
    created: expect.stringMatching(/^2026-01-01T/),
  });
});

test.each([
  [{ vmid: 301 }, [backups[1], backups[0]]],
  [{ type: "container" }, [backups[2]]],
  [{ protected: true }, [backups[0]]],
  [{ storage: "nas", protected: false }, [backups[1], backups[2]]],
])("selected by %j", async (config, expected) => {
  expect(ids(await look("proxmox_backups", config))).toEqual(expected);
});

test.each([
  [{ storage: "nsa" }, "Storage `nsa` does not exist, or the caller may not see it. Did you mean `nas`?"],
  [{ node: "pve9" }, "Node `pve9` does not exist"],
])("%j is refused", async (config, message) => {
  await expect(look("proxmox_backups", config)).rejects.toThrow(message);
});

test("a shared storage is read once", async () => {
  expect(await bench.calls("proxmox_backups", { storage: "nas" })).toMatchObject({
    "GET /nodes/{node}/storage/{storage}/content": 1,
  });
});

test("guests that are in no job", async () => {
  expect(await look("proxmox_backup_coverage")).toEqual({
    name: null,
    type: null,
    vmids: [302, 303],
    guests: [
      { vmid: 302, name: "b", type: "qemu" },
      { vmid: 303, name: "c", type: "lxc" },
    ],
  });
  expect((await look("proxmox_backup_coverage", { type: "lxc" }))["vmids"]).toEqual([303]);
});

test("replication jobs, by guest and by target", async () => {
  const { jobs } = bench.simulator.sim.world.replication;
  const job = (guest: number, target: string, more = {}) =>
    ({ type: "local", options: { guest, jobnum: 0, target, ...more } }) as unknown as (typeof jobs)[string];
  jobs["301-0"] = job(301, "pve2", { schedule: "*/30", comment: "often" });
  jobs["302-0"] = job(302, "pve3", { disable: 1 });
  expect(await look("proxmox_replications")).toMatchObject({ ids: ["301-0", "302-0"] });
  const { replications } = await look("proxmox_replications", { target: "pve2" });
  expect(replications).toMatchObject([{ id: "301-0", vmid: 301, schedule: "*/30", enabled: true, comment: "often" }]);
  expect(await look("proxmox_replications", { enabled: false })).toMatchObject({ ids: ["302-0"] });
});
