import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { ResourceBench } from "../resource-bench.ts";

let bench: ResourceBench;

beforeAll(async () => {
  bench = await ResourceBench.open();
});
beforeEach(async () => {
  bench.simulator.reset();
  await bench.configure();
});
afterAll(() => bench.close());

const zone = () => bench.resource("proxmox_sdn_zone");
const nobr = { id: "site", vlan: { bridge: "nobr" } };

test("a bridge that one of the nodes of a zone does not list is warned of", async () => {
  const warned = async (config: object) => JSON.stringify((await zone().plan(null, { ...nobr, ...config })).warnings);
  expect(await warned({})).toMatch(/Bridge is not listed.*`nobr`.*node pve1.*`vmbr0`/);
  const { interfaces } = bench.simulator.sim.world.nodes["pve2"] ?? expect.fail();
  interfaces["nobr"] = { type: "bridge", method: "manual", method6: "manual", families: ["inet"] };
  await bench.configure();
  expect(await warned({ nodes: ["pve2"] })).not.toContain("not listed");
});

test("the same plan may create the bridge", async () => {
  const nic = bench.resource("proxmox_network_interface");
  for (const node of ["pve1", "pve2", "pve3"]) await nic.plan(null, { node, name: "nobr", bridge: {} });
  expect(JSON.stringify((await zone().plan(null, nobr)).warnings)).not.toContain("not listed");
});

test("a zone whose bridge was removed can be changed otherwise", async () => {
  const made = await zone().create({ id: "site", vlan: { bridge: "vmbr0" } });
  for (const { interfaces } of Object.values(bench.simulator.sim.world.nodes)) delete interfaces["vmbr0"];
  await bench.configure();
  expect((await zone().plan(made, { id: "site", mtu: 1400, vlan: { bridge: "vmbr0" } })).action).toBe("update");
});
