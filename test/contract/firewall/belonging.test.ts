import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Input, type Plan, unknown } from "../../harness/index.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;

beforeAll(async () => {
  bench = await FirewallBench.start();
});
afterEach(async () => {
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

const resource = (type: string) => bench.resource(`proxmox_${type}`);
const accept = (source: string) => ({ type: "in", action: "ACCEPT", source });

describe("the firewall of a guest, node or vnet that does not exist is refused in the plan", () => {
  test.each<[string, Record<string, Input>, RegExp]>([
    ["firewall_rules", { vmid: 999, rules: [] }, /Guest `999` does not exist.*proxmox_vm\.NAME\.vmid/s],
    ["firewall_rules", { node: "pve9", rules: [] }, /Node `pve9` does not exist.*pve1/s],
    ["firewall_rules", { vnet: "nonet", rules: [] }, /Vnet `nonet` does not exist/],
    ["firewall_policy", { vmid: 999, rules: [] }, /Guest `999` does not exist/],
    ["firewall_options", { guest: { vmid: 999, enabled: true } }, /Guest `999` does not exist/],
    ["firewall_alias", { vmid: 999, name: "db", cidr: "10.0.0.1" }, /Guest `999` does not exist/],
    ["firewall_ipset", { vmid: 999, name: "db" }, /Guest `999` does not exist/],
  ])("%s %o", async (type, config, message) => {
    await expect(resource(type).plan(null, config)).rejects.toThrow(message);
  });
});

describe("a VM of the same run", () => {
  const vm = { name: "new", vmid: 950, clone: { template: "ubuntu-24.04-cloud" }, power: "stopped" };
  const everything: readonly [string, Record<string, Input>][] = [
    ["firewall_ipset", { name: "shared", entries: { "10.0.0.0/8": {} } }],
    ["firewall_alias", { vmid: 950, name: "db", cidr: "10.0.0.1" }],
    ["firewall_ipset", { vmid: 950, name: "some", entries: { "guest/db": {} } }],
    ["firewall_options", { guest: { vmid: 950, enabled: true } }],
    ["firewall_rules", { vmid: 950, rules: [accept("+dc/shared"), accept("guest/db"), accept("+guest/some")] }],
  ];

  test("has its firewall in the same plan and apply, though nothing refers to the VM", async () => {
    const plans = await Promise.all([
      ...everything.map(([type, config]) => resource(type).plan(null, config)),
      resource("vm").plan(null, vm),
    ]);
    await bench.configure();
    const types = [...everything.map(([type]) => type), "vm"];
    const made = await Promise.all(plans.map((plan: Plan, index) => resource(String(types[index])).apply(plan)));
    expect(bench.stored("guest/950")).toHaveLength(3);
    expect(bench.files["guest/950"]).toMatchObject({
      options: { enable: "1" },
      aliases: { db: {} },
      sets: { some: {} },
    });
    for (const [index, one] of made.entries()) await resource(String(types[index])).destroy(one);
  });

  test("whose VMID is not known yet: names of the cluster are checked, and its own are not", async () => {
    const rules = (...given: Input[]) => bench.rules.plan(null, { vmid: unknown, rules: given });
    await expect(rules(accept("+dc/none"))).rejects.toThrow("No such IP set");
    await expect(rules({ security_group: "none" })).rejects.toThrow("No such security group");
    await expect(rules({ type: "in", action: "ACCEPT", macro: "NoSuch" })).rejects.toThrow("No such macro");
    await expect(resource("firewall_policy").plan(null, { vmid: unknown, rules: [accept("dc/none")] })).rejects.toThrow(
      "No such alias",
    );
    await expect(
      resource("firewall_ipset").plan(null, { vmid: unknown, name: "set", entries: { "dc/none": {} } }),
    ).rejects.toThrow("No such alias");
    expect((await rules(accept("guest/db"), accept("+own"))).action).toBe("create");
  });
});

test("a vnet of the same run has its firewall after the commit, though subnets follow", async () => {
  const plans = [
    await resource("sdn_zone").plan(null, { id: "site", simple: {} }),
    await resource("sdn_vnet").plan(null, { id: "net1", zone: "site" }),
    await bench.rules.plan(null, { vnet: "net1", rules: [{ type: "forward", action: "DROP" }] }),
    await resource("sdn_subnet").plan(null, { vnet: "net1", cidr: "10.1.0.0/24" }),
  ] as const;
  await bench.configure();
  const zone = await resource("sdn_zone").apply(plans[0]);
  const vnet = await resource("sdn_vnet").apply(plans[1]);
  const [, subnet] = await Promise.all([bench.rules.apply(plans[2]), resource("sdn_subnet").apply(plans[3])]);
  expect(bench.stored("vnet/net1")).toHaveLength(1);
  await bench.configure();
  await resource("sdn_subnet").destroy(subnet);
  await resource("sdn_vnet").destroy(vnet);
  await resource("sdn_zone").destroy(zone);
});
