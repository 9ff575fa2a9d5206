import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
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

const fabric = () => bench.resource("proxmox_sdn_fabric");
const member = () => bench.resource("proxmox_sdn_fabric_node");
const one = { id: "one", ip_prefix: "10.1.0.0/24", openfabric: {} };
const node = (more: Record<string, Input>): Record<string, Input> => ({
  fabric: "one",
  node: "pve1",
  protocol: "openfabric",
  ip: "10.1.0.1",
  interfaces: { eth1: {} },
  ...more,
});

/** In the same plan, and with objects that exist. */
describe.each([false, true])("a plan refuses, with the others created: %s", (isCreated) => {
  const given = async (resource: () => ReturnType<typeof fabric>, config: Input) => {
    if (isCreated) await resource().create(config);
    else await resource().plan(null, config);
  };

  test("fabrics that overlap, and a second fabric of an area", async () => {
    await given(fabric, { id: "area", ip_prefix: "10.9.0.0/16", ospf: { area: "1" } });
    const twin = { id: "two", ip_prefix: "10.9.1.0/24", ospf: { area: "0.0.0.1" } };
    await expect(fabric().plan(null, twin)).rejects.toThrow(
      /10\.9\.1\.0\/24 shares addresses.*has area 0\.0\.0\.1 already/s,
    );
  });

  test("an interface that another fabric has", async () => {
    await given(fabric, one);
    await given(fabric, { id: "two", ip_prefix: "10.2.0.0/24", openfabric: {} });
    await given(member, node({}));
    const other = node({ fabric: "two", ip: "10.2.0.1" });
    await expect(member().plan(null, other)).rejects.toThrow(/`eth1` of node pve1 is in fabric `one` already/);
    await member().plan(null, { ...other, interfaces: { eth2: {} } });
    await member().plan(null, { ...other, node: "pve2", ip: "10.2.0.2" });
  });

  test("addresses outside of the fabric, taken or left out", async () => {
    await given(fabric, one);
    await given(member, node({}));
    const second = (more: Record<string, Input>) => member().plan(null, node({ node: "pve2", ...more }));
    await expect(second({ ip: "10.2.0.1" })).rejects.toThrow(/prefix 10\.1\.0\.0\/24, and 10\.2\.0\.1 is not in it/);
    await expect(second({ ip: "10.1.0.1" })).rejects.toThrow(/Node pve1 has 10\.1\.0\.1/);
    await expect(second({ ip: null, ip6: "fd00::1" })).rejects.toThrow(/each of its nodes needs an address/);
    await second({ ip: "10.1.0.2" });
  });
});
