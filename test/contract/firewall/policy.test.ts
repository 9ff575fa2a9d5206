import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Input, type ManagedResource, unknown } from "../../harness/index.ts";
import { gaps } from "../../unit/resources/firewall/packets.ts";
import { attribute } from "../resource-bench.ts";
import { asRule, FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let policies: ManagedResource;

beforeAll(async () => {
  bench = await FirewallBench.start();
  policies = bench.resource("proxmox_firewall_policy");
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

const port = (dport: number | string, action = "ACCEPT", more: object = {}) => ({
  type: "in",
  action,
  proto: "tcp",
  dport: String(dport),
  ...more,
});

const whole = {
  vmid: 101,
  options: { enabled: true, policy_in: "DROP", dhcp: true },
  aliases: { Office: { cidr: "198.51.100.0/24", comment: "in town" } },
  ipsets: {
    admins: { comment: "who may", entries: { "guest/office": {}, "10.0.0.0/8": { nomatch: true } } },
    none: {},
  },
  rules: [port(22, "ACCEPT", { source: "+guest/admins", comment: "by hand" }), port("80,443")],
};

test("is written whole, changed in place, imported and removed", async () => {
  const writes = await bench.writes(() => policies.create(whole));
  expect(writes.at(-1)).toBe("PUT /nodes/pve1/qemu/101/firewall/options");
  expect(bench.files["guest/101"]).toMatchObject({
    options: { enable: "1", policy_in: "DROP", dhcp: "1" },
    aliases: { office: { name: "Office", cidr: "198.51.100.0/24", comment: "in town" } },
    sets: { admins: { comment: "who may" }, none: { entries: [] } },
    rules: [{ dport: "22" }, { dport: "80,443" }],
  });
  await bench.configure();
  const imported = await policies.import({ id: "guest/101" });
  expect(attribute(imported, "table")).toEqual([
    "in   ACCEPT  tcp port 22 from +guest/admins # by hand",
    "in   ACCEPT  tcp port 80,443",
    "in   DROP    all other packets",
    "out  ACCEPT  all other packets",
  ]);
  await policies.expectSettled(imported, whole);
  await bench.configure();
  const less = { vmid: 101, options: { enabled: true, policy_in: "REJECT" }, rules: [port("80,443"), port(22)] };
  const now = await policies.update(imported, less);
  expect(bench.files["guest/101"]).toEqual({
    options: { enable: "1", policy_in: "REJECT" },
    aliases: {},
    sets: {},
    groups: {},
    rules: [expect.objectContaining({ dport: "80,443" }), expect.objectContaining({ dport: "22" })],
  });
  await policies.destroy(now);
  expect(bench.files["guest/101"]).toBeUndefined();
});

test.each([
  ["cluster", {}, { enabled: true, policy_forward: "DROP", log_ratelimit: { enabled: true } }],
  ["node/pve2", { node: "pve2" }, { log_level_in: "info", nf_conntrack_helpers: ["ftp"] }],
])("of %s has the options of that firewall", async (id, scope, options) => {
  const config = { ...scope, options, rules: [port(22)] };
  const now = await policies.create(config);
  await policies.expectSettled(await policies.import({ id }), config);
  await policies.destroy(now);
  expect(bench.files[id]).toBeUndefined();
});

/** What a packet meets: rules, then the policy as a last rule. */
const decided = (rules: object[], policy: string) => [
  ...rules.map((rule) => asRule({ ...(rule as Record<string, string>), enable: "1" })),
  { type: "in", action: policy, isEnabled: true },
];

test.each<[string, string, object[], string, object[]]>([
  ["closes", "ACCEPT", [port(1, "DROP")], "DROP", [port(2), port(3)]],
  ["opens", "DROP", [port(1), port(2)], "ACCEPT", [port(3, "DROP"), port(4, "DROP")]],
  ["changes both", "DROP", [port(1), port("1:2", "DROP")], "ACCEPT", [port(4, "DROP"), port("3:4"), port(1)]],
])("that %s opens no gap between its rules and its policy", async (_, before, old, after, desired) => {
  const config = (policy: string, rules: object[]) => ({
    vmid: 101,
    options: { enabled: true, policy_in: policy },
    rules: rules as Input[],
  });
  const now = await policies.create(config(before, old));
  const found: unknown[] = [];
  const look = (call: string) => {
    const { options, rules } = bench.file("guest/101");
    const policy = options["policy_in"] ?? "DROP";
    const present = [...rules.map(asRule), { type: "in", action: policy, isEnabled: true }];
    found.push(...gaps(decided(old, before), decided(desired, after), present).map((packet) => ({ call, packet })));
  };
  await bench.writes(() => policies.update(now, config(after, desired)), look);
  expect(found).toEqual([]);
});

test("survives answers that are lost", async () => {
  for (const after of [{}, { after: 1 as const }]) {
    for (const call of ["aliases", "ipset", "ipset/{name}", "rules"]) {
      const path = `POST /nodes/{node}/qemu/{vmid}/firewall/${call}`;
      bench.simulator.faults.order({ do: "answer", call: path, status: 596, ...after });
    }
    const now = await policies.create(whole);
    expect(bench.files["guest/101"]?.rules).toHaveLength(2);
    await policies.destroy(now);
    bench.simulator.faults.clear();
  }
});

test("is planned with its table, as far as it is known", async () => {
  const plan = await policies.plan(null, whole);
  expect(JSON.stringify(plan.planned)).toContain("in   DROP    all other packets");
  // The VMID of a VM that the same run creates.
  const ofNewVm = await policies.plan(null, { ...whole, vmid: unknown });
  expect(JSON.stringify(ofNewVm.planned)).toContain("in   DROP    all other packets");
  for (const more of [{ rules: unknown }, { options: unknown }, { ipsets: unknown }, { aliases: unknown }]) {
    await bench.configure();
    expect((await policies.plan(null, { ...whole, ...more })).action).toBe("create");
  }
});

describe("is refused", () => {
  test("beside another resource of the same firewall, in either order", async () => {
    await policies.plan(null, whole);
    await expect(bench.rules.plan(null, { vmid: 101, rules: [] })).rejects.toThrow(
      /keep either the policy or the single/,
    );
    await bench.configure();
    await bench.resource("proxmox_firewall_options").plan(null, { guest: { vmid: 101 } });
    await expect(policies.plan(null, whole)).rejects.toThrow("both manage the firewall of guest 101");
  });

  test.each<[string, Record<string, Input>, RegExp]>([
    [
      "with an option of another firewall",
      { vmid: 101, options: { ebtables: true } },
      /guest 101 has no option `ebtables` \(true\)/,
    ],
    ["with names that a node cannot have", { node: "pve1", aliases: { a1: { cidr: "10.0.0.1" } } }, /not to node pve1/],
    [
      "with a set that nothing creates",
      { vmid: 101, rules: [port(22, "ACCEPT", { source: "+guest/nope" })] },
      /`\+guest\/nope` does not exist/,
    ],
    ["with an alias of one letter", { vmid: 101, aliases: { x: { cidr: "10.0.0.1" } } }, /aliases.*1 to 63 letters/s],
    ["with a set of one letter", { vmid: 101, ipsets: { a: {} } }, /ipsets.*1 to 63 lower-case/s],
    ["with a set whose name has a blank", { vmid: 101, ipsets: { "bad name": {} } }, /ipsets.*1 to 63 lower-case/s],
    [
      "with a bad entry",
      { vmid: 101, ipsets: { lab: { entries: { "0.0.0.0/0": {} } } } },
      /ipsets\["lab"\].*0\.0\.0\.0\/1/s,
    ],
  ])("%s", async (_, config, message) => {
    await expect(policies.plan(null, config)).rejects.toThrow(message);
  });

  test("where it locks the provider out, but not if it disables the firewall", async () => {
    const config = { own_address: "203.0.113.7", options: { enabled: true }, rules: [port(22)] };
    await expect(policies.plan(null, config)).rejects.toThrow("The provider would lock itself out");
    await bench.configure();
    expect((await policies.plan(null, { ...config, options: {} })).action).toBe("create");
  });
});
