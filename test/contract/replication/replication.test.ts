import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import type { Input } from "../../harness/index.ts";
import { ResourceBench } from "../resource-bench.ts";
import { invoke } from "../vm/streams.ts";

const { storages, ...rest } = defaultSeed() as { storages: object[] };
const gibibyte = 1024 ** 3;
const tank = { storage: "tank", type: "zfspool", pool: "tank", content: ["images", "rootdir"], total_bytes: gibibyte };
const guests = [
  { vmid: 401, node: "pve1", config: { name: "db", scsi0: "tank:vm-401-disk-0,size=1M" } },
  { vmid: 402, node: "pve1", config: { name: "web", scsi0: "local-lvm:vm-402-disk-0,size=1M" } },
  { vmid: 403, node: "pve1", config: { name: "none" } },
];

let bench: ResourceBench;

beforeAll(async () => {
  const env = { PROXMOX_VE_TASK_TIMEOUT: "3s" };
  bench = await ResourceBench.open({ env, seed: { ...rest, storages: [...storages, tank], guests } });
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const job = () => bench.resource("proxmox_replication");
const world = () => bench.simulator.sim.world;
const copies = () => world().volumes.filter(({ volid, node }) => volid.startsWith("tank:") && node === "pve2").length;
const run = (id: string, more = {}) => invoke(bench.provider, "proxmox_replication_run", { id, ...more });
const base = { id: "401-0", target: "pve2" };

describe("a job that cannot be is refused in the plan", () => {
  test.each<[string, Record<string, Input>, string]>([
    ["not an ID", { ...base, id: "401" }, "the VMID and a number"],
    ["no such guest", { ...base, id: "999-0" }, "Guest `999` does not exist."],
    ["to its own node", { ...base, target: "pve1" }, "Guest 401 is on node pve1 itself"],
    ["to a node that does not exist", { ...base, target: "pve9" }, "Node `pve9` does not exist"],
    ["a volume that is not on ZFS", { ...base, id: "402-0" }, "`scsi0 (on local-lvm)` of guest 402"],
    ["a guest without volumes", { ...base, id: "403-0" }, "nothing to copy"],
    ["a bad schedule", { ...base, schedule: "each hour" }, "a calendar event of Proxmox VE"],
  ])("%s", async (_, config, message) => {
    await expect(job().plan(null, config)).rejects.toThrow(message);
  });

  test("a second job to the same target", async () => {
    const now = await job().create(base);
    await bench.configure();
    await expect(job().plan(null, { ...base, id: "401-1" })).rejects.toThrow("Job 401-0 already copies guest 401");
    await job().destroy(now);
  });
});

test("the action copies the volumes and shows the log, and a destroy removes job and copies", async () => {
  const now = await job().create(base);
  const { diagnostics, progress } = await run("401-0");
  expect(diagnostics).toEqual([]);
  expect(progress.some((line) => line.includes("start replication job"))).toBe(true);
  expect(progress.at(-1)).toBe("Job 401-0: complete");
  expect(copies()).toBe(1);
  const { warnings } = await job().planDestroy(now);
  expect(warnings).toMatchObject([{ summary: "Copies are removed", detail: expect.stringContaining("node pve2") }]);
  await job().destroy(now);
  expect(world().replication.jobs).toEqual({});
  expect(copies()).toBe(0);
});

test("copies that are to be kept stay", async () => {
  const now = await job().create({ ...base, keep_copies: true });
  await run("401-0");
  expect((await job().planDestroy(now)).warnings).toEqual([]);
  await job().destroy(now);
  expect(world().replication.jobs).toEqual({});
  expect(copies()).toBe(1);
});

test("another target means another job, and the plan says what that costs", async () => {
  const now = await job().create(base);
  const plan = await job().plan(now, { ...base, target: "pve3" });
  expect(plan.action).toBe("replace");
  expect(plan.warnings.map(({ detail }) => detail).join()).toContain("one target for life");
  await job().destroy(await job().apply(plan));
});

test("a job that was marked by another client is gone, and is made again after it has gone", async () => {
  const now = await job().create(base);
  const marked = world().replication.jobs["401-0"];
  if (marked) marked.options["remove_job"] = "full";
  await bench.configure();
  expect(await job().find(now)).toBeNull();
  const again = await job().create(base);
  expect(world().replication.jobs["401-0"]?.options["remove_job"]).toBeUndefined();
  await job().destroy(again);
});

test("a job that is not removed in time says why, and is removed by the next apply", async () => {
  const now = await job().create(base);
  const [node] = [world().nodes["pve2"]];
  const { replication } = world();
  // The scheduler finds no guest to work for, as if its node had no connection.
  const guest = world().guests[401];
  delete world().guests[401];
  if (node) node.online = false;
  await expect(job().destroy(now)).rejects.toThrow(
    /Replication job 401-0 is not removed yet.*node pve2, is offline.*pvesr delete 401-0 --force/s,
  );
  expect(replication.jobs["401-0"]?.options["remove_job"]).toBe("full");
  if (guest) world().guests[401] = guest;
  if (node) node.online = true;
  await bench.configure();
  await job().destroy(now);
  expect(replication.jobs).toEqual({});
});

describe("proxmox_replication_run", () => {
  test("says what failed", async () => {
    const now = await job().create(base);
    const node = world().nodes["pve2"];
    if (node) node.online = false;
    const { diagnostics } = await run("401-0");
    expect(diagnostics).toMatchObject([{ summary: "Replication job 401-0 failed" }]);
    expect(diagnostics[0]?.detail).toContain("exit code 255");
    if (node) node.online = true;
    await bench.configure();
    await job().destroy(now);
  });

  test("refuses a job that is disabled, and one that is not there", async () => {
    const now = await job().create({ ...base, enabled: false });
    expect((await run("401-0")).diagnostics).toMatchObject([{ summary: "Replication job is disabled" }]);
    expect((await run("401-7")).diagnostics).toMatchObject([{ summary: "Replication job not found" }]);
    await job().destroy(now);
  });

  test("waits no longer than it may", async () => {
    const now = await job().create(base);
    const { diagnostics } = await run("401-0", { timeout: "1ms" });
    expect(diagnostics).toMatchObject([{ summary: "Replication job 401-0 has not run yet" }]);
    await job().destroy(now);
  });
});
