import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Input } from "../harness/index.ts";
import { ResourceBench } from "./resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  // The interval of task polls is also how long a removal waits for another one to begin.
  bench = await ResourceBench.open({ env: { PROXMOX_VE_TASK_POLL_INTERVAL: "300ms" } });
});
afterEach(() => bench.simulator.faults.clear());
afterAll(() => bench.close());

const vm = () => bench.resource("proxmox_vm");
const pool = () => bench.resource("proxmox_pool");
const world = () => bench.simulator.sim.world;
const clone = { template: "ubuntu-24.04-cloud" };
const inPool = (vmid: number, more: Input = {}) => ({
  ...{ name: `together-${vmid}`, vmid, clone, pool: "together", power: "stopped" },
  ...(more as object),
});

test("a pool is removed with its last VMs, in any order of Terraform", async () => {
  const made = await pool().create({ id: "together" });
  const vms = [await vm().create(inPool(501)), await vm().create(inPool(502))];
  bench.simulator.faults.order({ do: "slow", task: "qmdestroy", seconds: 200 });
  await Promise.all([pool().destroy(made), ...vms.map((one) => vm().destroy(one))]);
  expect(world().access.pools["together"]).toBeUndefined();
});

test("a pool is removed with a VM that has to wait for another change first", async () => {
  const made = await pool().create({ id: "together" });
  const [member, other] = [await vm().create(inPool(511)), await vm().create(inPool(512, { pool: null }))];
  bench.simulator.faults.order({ do: "slow", task: "qmstart", seconds: 500 });
  const started = vm().update(other, inPool(512, { pool: null, power: "running" }));
  await Promise.all([pool().destroy(made), started.then(() => vm().destroy(member))]);
  expect(world().access.pools["together"]).toBeUndefined();
  await vm().destroy(await started);
});

test("two pools that cannot be removed do not wait for each other without an end", async () => {
  const made = [await pool().create({ id: "together" }), await pool().create({ id: "other" })];
  for (const id of ["together", "other"]) world().access.pools[id]?.vms.push(id === "other" ? 9000 : 9001);
  const ends = await Promise.allSettled(made.map((one) => pool().destroy(one)));
  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  for (const id of ["together", "other"]) world().access.pools[id]?.vms.pop();
  await Promise.all(made.map((one) => pool().destroy(one)));
});

test("a pool whose VM is removed by an update is removed, too", async () => {
  const made = await pool().create({ id: "together" });
  const member = await vm().create(inPool(503));
  const leaving = vm().update(member, inPool(503, { pool: "" }));
  await Promise.all([pool().destroy(made), leaving]);
  expect(world().access.pools["together"]).toBeUndefined();
  await vm().destroy(await leaving);
});

test("a pool is removed with the pools inside it", async () => {
  const made = [
    await pool().create({ id: "outer" }),
    await pool().create({ id: "outer/middle" }),
    await pool().create({ id: "outer/middle/inner" }),
  ];
  await Promise.all(made.map((one) => pool().destroy(one)));
  expect(Object.keys(world().access.pools).filter((id) => id.startsWith("outer"))).toEqual([]);
});

test("a pool stays if a VM in it could not be destroyed, or is not managed", async () => {
  const made = await pool().create({ id: "together" });
  const member = await vm().create(inPool(504));
  bench.simulator.faults.order({ do: "fail", task: "qmdestroy", text: "storage is gone" });
  const [ofPool, ofVm] = await Promise.allSettled([pool().destroy(made), vm().destroy(member)]);
  expect(ofVm).toMatchObject({ status: "rejected" });
  expect(ofPool).toMatchObject({ reason: { message: expect.stringMatching(/contains VM 504\. Nothing was changed/) } });
  await vm().destroy(member);
  world().access.pools["together"]?.vms.push(9000);
  await expect(pool().destroy(made)).rejects.toThrow(/contains VM 9000/);
  world().access.pools["together"]?.vms.pop();
  await pool().destroy(made);
});

test("a template is removed with its linked clones", async () => {
  const template = await vm().create({
    name: "base",
    vmid: 510,
    clone: { template: "debian-13-cloud", full: true },
    template: true,
  });
  const linked = await vm().create({ name: "linked", vmid: 511, clone: { template: "base" }, power: "stopped" });
  expect(world().guests[511]?.config["scsi0"]).toContain("base-510-disk");
  bench.simulator.faults.order({ do: "slow", task: "qmdestroy", id: "511", seconds: 200 });
  await Promise.all([vm().destroy(template), vm().destroy(linked)]);
  expect([world().guests[510], world().guests[511]]).toEqual([undefined, undefined]);
});
