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

test("a zone is refused on a bridge that one of its nodes lacks", async () => {
  await expect(zone().plan(null, nobr)).rejects.toThrow(/Node pve1 has no bridge `nobr`[\s\S]*`vmbr0`/);
  const { interfaces } = bench.simulator.sim.world.nodes["pve2"] ?? expect.fail();
  interfaces["nobr"] = { type: "bridge", method: "manual", method6: "manual", families: ["inet"] };
  await bench.configure();
  await zone().plan(null, { ...nobr, nodes: ["pve2"] });
});

test("the same plan may create the bridge", async () => {
  const nic = bench.resource("proxmox_network_interface");
  for (const node of ["pve1", "pve2", "pve3"]) await nic.plan(null, { node, name: "nobr", bridge: {} });
  await zone().plan(null, nobr);
});

test("a zone whose bridge was removed can be changed otherwise", async () => {
  const made = await zone().create({ id: "site", vlan: { bridge: "vmbr0" } });
  for (const { interfaces } of Object.values(bench.simulator.sim.world.nodes)) delete interfaces["vmbr0"];
  await bench.configure();
  expect((await zone().plan(made, { id: "site", mtu: 1400, vlan: { bridge: "vmbr0" } })).action).toBe("update");
});
