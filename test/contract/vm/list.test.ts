import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { decode } from "../../harness/cty-codec.ts";
import { grantLittle } from "../resource-bench.ts";
import { query } from "./streams.ts";
import { Bench } from "./suite.ts";

const guest = (vmid: number, node: string, config: object, more: object = {}) => ({ vmid, node, config, ...more });

const guests = [
  guest(201, "pve1", { name: "web-1", tags: "prod;web" }, { running: true }),
  guest(202, "pve2", { name: "web-2", tags: "web" }),
  guest(203, "pve2", { name: "db-1", tags: "prod", scsi0: "local-lvm:vm-203-disk-0,size=8G" }, { running: true }),
  guest(204, "pve1", { name: "golden", template: 1 }),
  guest(205, "pve3", {}),
  { ...guest(206, "pve1", { hostname: "web-container" }), type: "lxc" },
];

let bench: Bench;

beforeAll(async () => {
  const seed = { ...defaultSeed(), guests, pools: [{ poolid: "live", vms: [201, 203] }] };
  bench = await Bench.open({ seed });
});
afterAll(() => bench.close());

test.each<{ what: string; config: Record<string, string | boolean | string[]>; found: number[] }>([
  { what: "every VM and no container", config: {}, found: [201, 202, 203, 204, 205] },
  { what: "VMs by a pattern of their name", config: { name: "web-*" }, found: [201, 202] },
  { what: "VMs by one unknown letter", config: { name: "?b-1" }, found: [203] },
  { what: "a name that has a pattern's signs for letters", config: { name: "web.1" }, found: [] },
  { what: "VMs of a node", config: { node: "pve2" }, found: [202, 203] },
  { what: "VMs of a pool", config: { pool: "live" }, found: [201, 203] },
  { what: "VMs of no pool", config: { pool: "" }, found: [202, 204, 205] },
  { what: "VMs that have all of several tags", config: { tags: ["web", "PROD"] }, found: [201] },
  { what: "templates", config: { template: true }, found: [204] },
  { what: "what is no template", config: { template: false }, found: [201, 202, 203, 205] },
  { what: "VMs by status", config: { status: "running" }, found: [201, 203] },
  { what: "VMs by everything at once", config: { name: "*-1", status: "running", node: "pve2" }, found: [203] },
])("a query finds $what", async ({ config, found }) => {
  const events = await query(bench.provider, config);
  expect(events.flatMap(({ diagnostic }) => diagnostic)).toEqual([]);
  expect(events.map(vmidOf)).toEqual(found);
});

test("a query names what it finds", async () => {
  const events = await query(bench.provider, { node: "pve3" });
  expect(events.map((event) => event.display_name)).toEqual(["VM 205 (205 on pve3)"]);
  const [named] = await query(bench.provider, { name: "db-1" });
  expect(named?.display_name).toBe("db-1 (203 on pve2)");
});

test("a query ends when enough was found", async () => {
  expect((await query(bench.provider, {}, { limit: 2 })).map(vmidOf)).toEqual([201, 202]);
});

test("a query brings the whole VM when it is wanted", async () => {
  const [event] = await query(bench.provider, { name: "db-1" }, { withObjects: true });
  expect(decode(bench.vm.schema.type, event?.resource_object?.msgpack ?? new Uint8Array())).toMatchObject({
    name: "db-1",
    node: "pve2",
    status: "running",
    disks: { scsi0: { storage: "local-lvm", size: "8G" } },
  });
});

test("a query for a node that does not exist names the attribute and the nodes there are", async () => {
  const events = await query(bench.provider, { node: "pve9" });
  expect(events.flatMap(({ diagnostic }) => diagnostic)).toMatchObject([
    { summary: "No such node", detail: expect.stringMatching(/`pve9`.*pve1/) },
  ]);
});

test("a query by a token that sees no VM says so", async () => {
  grantLittle(bench.simulator);
  await bench.restart("noacl@pve!tf");
  const events = await query(bench.provider, {});
  expect(events.flatMap(({ diagnostic }) => diagnostic)).toMatchObject([
    { summary: "No VM can be seen", detail: expect.stringContaining("noacl@pve!tf") },
  ]);
});

test("a query costs one look at the cluster and one at each node that has VMs", async () => {
  const { log } = bench.simulator.sim;
  log.clear();
  await bench.restart();
  await query(bench.provider, {});
  const { calls } = log.summary() as { calls: { endpoint: string; count: number }[] };
  expect(Object.fromEntries(calls.map(({ endpoint, count }) => [endpoint, count]))).toEqual({
    "GET /cluster/resources": 1,
    "GET /nodes/{node}/qemu": 3,
  });
});

function vmidOf(event: Awaited<ReturnType<typeof query>>[number]): number {
  const type = bench.vm.schema.identity;
  const identity = type && decode(type, event.identity.identity_data.msgpack);
  return Number((identity as { vmid: { text: string } }).vmid.text);
}
