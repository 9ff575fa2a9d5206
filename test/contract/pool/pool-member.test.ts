import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input, ManagedResource } from "../../harness/index.ts";
import { grant } from "../crud/exact-privileges.ts";
import { attribute, ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  const pools = [{ poolid: "prod" }, { poolid: "prod/web" }, { poolid: "lab", vms: [9001] }];
  bench = await ResourceBench.open({ seed: { ...(defaultSeed() as object), pools } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const members = (): ManagedResource => bench.resource("proxmox_pool_member");
const pool = (id: string) => bench.simulator.sim.world.access.pools[id];
const lose = (after: boolean) =>
  bench.simulator.faults.order({ do: "answer", call: "PUT /pools", status: 596, ...(after && { after: 1 }) });

test.each([
  [{ pool: "prod", vmid: 9000 }, "prod/vm/9000", { vms: [9000] }],
  [{ pool: "prod/web", storage: "nas" }, "prod/web/storage/nas", { storage: ["nas"] }],
])("%o joins its pool, is imported and leaves it", async (config, id, inPool) => {
  const now = await members().create(config);
  expect(attribute(now, "id")).toBe(id);
  expect(pool(config.pool)).toMatchObject(inPool);
  const imported = await members().import({ id });
  await members().expectSettled(imported, config);
  await members().destroy(now);
  expect(await members().find(now)).toBeNull();
  await members().destroy(now);
});

test("a storage may join a pool that is created at the same time", async () => {
  const pools = bench.resource("proxmox_pool");
  const fresh = await pools.plan(null, { id: "fresh" });
  const joining = await members().plan(null, { pool: "fresh", storage: "nas" });
  const [made] = await Promise.all([pools.apply(fresh), members().apply(joining)]);
  expect(pool("fresh")).toMatchObject({ storage: ["nas"] });
  expect((await pools.plan(await pools.find(made), { id: "fresh" })).action).toBe("no-op");
});

test("another pool is another member, and the same guest is moved by it", async () => {
  const now = await members().create({ pool: "prod", vmid: 9000 });
  const plan = await members().plan(now, { pool: "lab", vmid: 9000, allow_move: true });
  expect(plan.action).toBe("replace");
  const moved = await members().apply(plan);
  expect(pool("lab")?.vms).toContain(9000);
  await members().destroy(moved);
  expect(pool("lab")?.vms).not.toContain(9000);
});

test("a guest moves with its member without `allow_move`: it leaves the old pool before", async () => {
  const now = await members().create({ pool: "prod", vmid: 9000 });
  const plan = await members().plan(now, { pool: "lab", vmid: 9000 });
  expect(plan.action).toBe("replace");
  await members().apply(plan);
  expect([pool("prod")?.vms, pool("lab")?.vms]).toEqual([[], [9001, 9000]]);
});

describe("is refused in the plan:", () => {
  const rows: readonly (readonly [string, Input, string])[] = [
    ["neither guest nor storage", { pool: "prod" }, "Exactly one of `vmid` and `storage`"],
    ["both", { pool: "prod", vmid: 9000, storage: "nas" }, "Exactly one of `vmid` and `storage`"],
    ["a pool that does not exist", { pool: "none", vmid: 9000 }, "Pool `none` does not exist"],
    ["a guest that does not exist", { pool: "prod", vmid: 777 }, "Guest `777` does not exist"],
    ["a storage that does not exist", { pool: "prod", storage: "none" }, "Storage `none` does not exist"],
    ["a guest in another pool", { pool: "prod", vmid: 9001 }, "is in pool `lab`, and a guest can be in one only"],
    ["a guest that is there", { pool: "lab", vmid: 9001 }, 'id = "lab/vm/9001"'],
  ];
  test.each(rows)("%s", async (_, config, message) => {
    await expect(members().plan(null, config)).rejects.toThrow(message);
  });

  test("a storage of a pool that lists its storages, whichever is planned first", async () => {
    const pools = bench.resource("proxmox_pool");
    const [listing, member] = [
      { id: "fresh", storages: ["ceph"] },
      { pool: "fresh", storage: "nas" },
    ];
    await pools.plan(null, listing);
    await expect(members().plan(null, member)).rejects.toThrow("names all storages of the pool");
    await bench.configure();
    const late = members().plan(null, member);
    await expect(pools.plan(null, listing)).rejects.toThrow("a proxmox_pool_member puts `nas` there");
    await late;
  });
});

test("a pool that does not list its storages keeps what a member puts there", async () => {
  const pools = bench.resource("proxmox_pool");
  const holder = await pools.create({ id: "fresh" });
  const member = await members().create({ pool: "fresh", storage: "nas" });
  expect((await pools.plan(await pools.refresh(holder), { id: "fresh" })).action).toBe("no-op");
  await members().destroy(member);
  await pools.destroy(holder);
});

test("a pool and its member leave together, whichever begins", async () => {
  const pools = bench.resource("proxmox_pool");
  const holder = await pools.create({ id: "fresh" });
  const member = await members().create({ pool: "fresh", storage: "nas" });
  await Promise.all([pools.destroy(holder), members().destroy(member)]);
  expect(pool("fresh")).toBeUndefined();
});

test("survives answers that are lost, before and after the work", async () => {
  lose(false);
  await expect(members().create({ pool: "prod", vmid: 9000 })).rejects.toThrow("The answer was lost");
  bench.simulator.faults.clear();
  lose(true);
  const now = await members().create({ pool: "prod", vmid: 9000 });
  bench.simulator.faults.clear();
  lose(true);
  await members().destroy(now);
  expect(pool("prod")?.vms).not.toContain(9000);
});

test("names the privileges that the caller lacks", async () => {
  await grant(bench, []);
  await expect(members().plan(null, { pool: "prod", vmid: 9000 })).rejects.toThrow(/Pool\.Allocate/);
});
