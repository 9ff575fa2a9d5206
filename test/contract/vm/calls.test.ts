import { afterAll, beforeAll, expect, test } from "vitest";
import { startDelayProxy } from "../../../programs/bench/providers/wire.ts";
import type { Instance } from "../../harness/index.ts";
import { query } from "./streams.ts";
import { askAsOther, Bench, sshKey } from "./suite.ts";

let bench: Bench;

beforeAll(async () => {
  bench = await Bench.open();
});

afterAll(() => bench.close());

interface Summary {
  total: number;
  calls: { endpoint: string; count: number }[];
}

/** Calls that were made meanwhile; looking at tasks does not count. */
async function counted(work: () => Promise<unknown>) {
  const { log } = bench.simulator.sim;
  log.clear();
  await work();
  const { calls } = log.summary() as Summary;
  const asked = calls.filter(({ endpoint }) => !endpoint.includes("/tasks"));
  const sum = (some: Summary["calls"]) => some.reduce((all, { count }) => all + count, 0);
  return {
    total: sum(asked),
    list: asked.map(({ endpoint, count }) => `${count} ${endpoint}`),
    /** Calls whose endpoint begins like that. */
    of: (endpoint: string) => sum(calls.filter((call) => call.endpoint.startsWith(endpoint))),
  };
}

/** Copies of the template that are no templates, without asking the API. */
function addVms(from: number, count: number): number[] {
  const template = bench.guest(9000);
  const { world } = bench.simulator.sim;
  const vmids = Array.from({ length: count }, (_, index) => from + index);
  for (const vmid of vmids) {
    const unique = `${"0".repeat(8)}-0000-4000-8000-${String(vmid).padStart(12, "0")}`;
    const settings = { ...template.config, name: `bulk-${vmid - from}`, smbios1: `uuid=${unique}`, vmgenid: unique };
    delete (settings as Record<string, string>)["template"];
    world.guests[vmid] = { ...structuredClone(template), vmid, config: settings };
  }
  return vmids;
}

const config = (index: number) => ({
  name: `counted-${index}`,
  vmid: 1000 + index,
  clone: { template: "ubuntu-24.04-cloud" },
  cpu: { cores: 4 },
  memory: { size: "8G" },
  disks: { scsi0: { size: "100G" } },
  networks: { net0: { bridge: "vmbr0", vlan: 20, ipv4: { address: "10.0.20.11/24", gateway: "10.0.20.1" } } },
  cloud_init: { user: "ops", ssh_keys: [sshKey] },
});

test("making a VM by cloning takes 7 calls, and 4 for all VMs of a run: the cluster, its node, the template and the bridges", async () => {
  const plan = await bench.vm.plan(null, config(1));
  const next = await bench.vm.plan(null, config(2));
  await bench.restart();
  const { total, list } = await counted(() => bench.vm.apply(plan, config(1)));
  expect(total, list.join("\n")).toBeLessThanOrEqual(11);
  const second = await counted(() => bench.vm.apply(next, config(2)));
  expect(second.total, second.list.join("\n")).toBeLessThanOrEqual(7);
});

test("refreshing and planning 100 VMs takes at most 105 calls", async () => {
  const vmids = addVms(2000, 100);
  await bench.restart();
  const imported: Instance[] = [];
  for (const vmid of vmids) imported.push(await bench.vm.import({ id: String(vmid) }));
  await bench.restart();
  const { total, list } = await counted(async () => {
    await Promise.all(
      imported.map(async (instance, index) => {
        const read = await bench.vm.refresh(instance);
        const plan = await bench.vm.plan(read, { name: `bulk-${index}` });
        expect(plan.action).toBe("no-op");
      }),
    );
  });
  expect(total, list.join("\n")).toBeLessThanOrEqual(105);
});

const reads = "GET /nodes/{node}/qemu/{vmid}";
const writes = (method: "PUT" | "DELETE") => `${method} /nodes/{node}/qemu/{vmid}`;

test.each(["stopped", "running"])(
  "changing a %s VM takes 2 reads in the plan, and 2 reads and one write in the apply",
  async (power) => {
    const index = power === "running" ? 3 : 4;
    const before = { ...config(index), power };
    const made = await bench.vm.apply(await bench.vm.plan(null, before), before);
    const after = { ...before, cpu: { cores: 2 }, description: "changed", tags: ["a"] };
    await bench.restart();
    const planned = await counted(async () => bench.vm.plan(await bench.vm.refresh(made as Instance), after));
    expect(planned.of(reads), planned.list.join("\n")).toBeLessThanOrEqual(2);
    const plan = await bench.vm.plan(made, after);
    await bench.restart();
    const applied = await counted(() => bench.vm.apply(plan, after));
    expect(bench.config(1000 + index)).toMatchObject({ cores: "2", tags: "a" });
    expect(applied.of(reads), applied.list.join("\n")).toBeLessThanOrEqual(2);
    expect(applied.of(writes("PUT"))).toBe(1);
    expect(applied.total, applied.list.join("\n")).toBeLessThanOrEqual(5);
  },
);

test("a change by another user between the steps of an update is seen, and kept", async () => {
  const before = { ...config(5), power: "stopped" };
  const made = await bench.vm.apply(await bench.vm.plan(null, before), before);
  const after = { ...before, cpu: { cores: 2 } };
  const plan = await bench.vm.plan(await bench.vm.refresh(made as Instance), after);
  await askAsOther(bench, "PUT", "/nodes/pve1/qemu/1005/config", { net3: "virtio,bridge=vmbr0", cores: "8" });
  await bench.vm.apply(plan, after);
  expect(bench.config(1005)).toMatchObject({ cores: "2", net3: expect.stringContaining("vmbr0") });
});

test("destroying 20 VMs takes 3 calls for each, and one look at the cluster and at each node for all of them", async () => {
  const vmids = addVms(3000, 20);
  await bench.restart();
  const left: Instance[] = [];
  for (const vmid of vmids) left.push(await bench.vm.import({ id: String(vmid) }));
  await bench.restart();
  const worker = async () => {
    for (let one = left.pop(); one; one = left.pop()) await bench.vm.apply(await bench.vm.plan(one, null), null);
  };
  const { of, list } = await counted(() => Promise.all(Array.from({ length: 10 }, worker)));
  expect(vmids.filter((vmid) => bench.has(vmid))).toEqual([]);
  expect(of("GET /cluster/resources"), list.join("\n")).toBeLessThanOrEqual(1);
  expect(of("GET /nodes/{node}/qemu") - of("GET /nodes/{node}/qemu/"), list.join("\n")).toBeLessThanOrEqual(3);
  expect(of(reads), list.join("\n")).toBe(20);
  expect(of(writes("DELETE"))).toBe(20);
});

test("a VM that was started after the cluster was read is stopped and destroyed", async () => {
  const [vmid = 0, other = 0] = addVms(3100, 2);
  await bench.restart();
  const [one, two] = [await bench.vm.import({ id: String(vmid) }), await bench.vm.import({ id: String(other) })];
  await bench.restart();
  await bench.vm.apply(await bench.vm.plan(one, null), null);
  await askAsOther(bench, "POST", `/nodes/pve1/qemu/${other}/status/start`, {});
  expect(bench.guest(other).run).toBeDefined();
  await bench.vm.apply(await bench.vm.plan(two, null), null);
  expect(bench.has(other)).toBe(false);
});

test("a query with objects takes one call for each VM", async () => {
  addVms(4000, 60);
  await bench.restart();
  let found = 0;
  const { of, list } = await counted(async () => {
    found = (await query(bench.provider, { name: "bulk-*", node: "pve1" }, { withObjects: true, limit: 500 })).length;
  });
  expect(found).toBeGreaterThanOrEqual(60);
  expect(of(reads), list.join("\n")).toBe(found);
});

test("a query reads several configurations at a time, over at most 16 connections", async () => {
  addVms(5000, 60);
  await bench.restart();
  // A connection is opened when all others wait for a response, so their number is that of calls in flight.
  const wire = await startDelayProxy(Number(new URL(bench.simulator.url).port), 50);
  try {
    await bench.configure(undefined, { endpoint: `https://127.0.0.1:${wire.port}` });
    const found = await query(bench.provider, { name: "bulk-*", node: "pve1" }, { withObjects: true, limit: 500 });
    expect(found.length).toBeGreaterThanOrEqual(60);
    const connections = wire.takeConnections();
    expect(connections).toBeGreaterThanOrEqual(8);
    expect(connections).toBeLessThanOrEqual(16);
  } finally {
    wire.close();
  }
});
