import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Input, type ManagedResource, unknown } from "../../harness/index.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let options: ManagedResource;
let port: number;

beforeAll(async () => {
  bench = await FirewallBench.start();
  options = bench.resource("proxmox_firewall_options");
  port = Number(new URL(bench.simulator.url).port);
});
afterEach(async () => {
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

/** The simulator is at a loopback address, which PVE always allows: tests come from elsewhere. */
const own_address = "203.0.113.7";
const enabling = { own_address, cluster: { enabled: true } };
const accept = (more: object = {}): Input =>
  ({ type: "in", action: "ACCEPT", proto: "tcp", dport: String(port), ...more }) as Input;
const stored = (rule: Input) => ({ ...(rule as Record<string, string>), enable: "1" });
const message = /Packets from 203\.0\.113\.7 to port \d+ would be refused.*allow_lockout = true/s;

describe("enabling the firewall of the cluster", () => {
  test("is refused where no rule lets the provider in, unless it is confirmed", async () => {
    await expect(options.plan(null, enabling)).rejects.toThrow(message);
    for (const config of [
      { ...enabling, allow_lockout: true },
      { ...enabling, allow_lockout: unknown },
      { cluster: { enabled: true } },
      { own_address, cluster: { enabled: true, policy_in: "ACCEPT" } },
    ]) {
      await bench.configure();
      expect((await options.plan(null, config)).action).toBe("create");
    }
  });

  test.each<[string, () => void]>([
    ["a rule of the cluster", () => bench.file("cluster").rules.push(stored(accept()))],
    [
      "a rule of the node that answers",
      () => bench.file("node/pve1").rules.push(stored(accept({ source: "203.0.113.0/24" }))),
    ],
    [
      "a rule for an alias",
      () => {
        bench.file("cluster").aliases["desk"] = { name: "desk", cidr: own_address };
        bench.file("cluster").rules.push(stored(accept({ source: "dc/desk" })));
      },
    ],
    [
      "a rule of a group for a set",
      () => {
        bench.file("cluster").sets["admins"] = { entries: [{ cidr: "203.0.113.0/24" }] };
        bench.file("cluster").groups["mgmt"] = { rules: [stored(accept({ source: "+admins" }))] };
        bench.file("cluster").rules.push({ type: "group", action: "mgmt", enable: "1" });
      },
    ],
    [
      "the set management",
      () => (bench.file("cluster").sets["management"] = { entries: [{ cidr: "203.0.113.0/28" }] }),
    ],
    ["a node whose firewall is off", () => (bench.file("node/pve1").options = { enable: "0" })],
  ])("is allowed with %s", async (_, prepare) => {
    prepare();
    expect((await options.plan(null, enabling)).action).toBe("create");
  });

  test.each<[string, () => void]>([
    ["rules for others", () => bench.file("cluster").rules.push(stored(accept({ source: "198.51.100.0/24" })))],
    ["a rule that is off", () => bench.file("cluster").rules.push({ ...stored(accept()), enable: "0" })],
    ["a rule for another port", () => bench.file("cluster").rules.push({ ...stored(accept()), dport: "22" })],
    [
      "a rule that refuses before one that allows",
      () => bench.file("cluster").rules.push({ type: "in", action: "DROP", enable: "1" }, stored(accept())),
    ],
    [
      "a set that leaves it out",
      () => {
        bench.file("cluster").sets["management"] = {
          entries: [{ cidr: "203.0.113.0/24" }, { cidr: own_address, nomatch: 1 }],
        };
      },
    ],
  ])("is refused with %s", async (_, prepare) => {
    prepare();
    await expect(options.plan(null, enabling)).rejects.toThrow(message);
  });

  test("counts rules that the same plan creates, in either order", async () => {
    await Promise.all([options.plan(null, enabling), bench.rules.plan(null, { own_address, rules: [accept()] })]);
    await bench.configure();
    await bench.rules.plan(null, { own_address, rules: [accept()] });
    await options.plan(null, enabling);
    await bench.configure();
    await Promise.all([options.plan(null, enabling), bench.rules.plan(null, { rules: unknown })]);
  });
});

describe("names by which the provider is let in", () => {
  const cluster = () => bench.file("cluster");
  const isOn = () => {
    cluster().options = { enable: "1" };
  };
  const sets = () => bench.resource("proxmox_firewall_ipset");
  const aliases = () => bench.resource("proxmox_firewall_alias");
  const groups = () => bench.resource("proxmox_firewall_security_group");

  test("the set management keeps its address, unless it is confirmed", async () => {
    const management = { own_address, name: "management", entries: { "203.0.113.0/28": {}, "10.0.0.0/8": {} } };
    const now = await sets().create(management);
    isOn();
    await bench.configure();
    const without = { ...management, entries: { "10.0.0.0/8": {} } };
    await expect(sets().plan(now, without)).rejects.toThrow(message);
    await expect(sets().plan(now, { ...management, name: "admins" })).rejects.toThrow(message);
    await expect(sets().planDestroy(now)).rejects.toThrow(message);
    expect((await sets().plan(now, { ...without, allow_lockout: true })).action).toBe("update");
    expect((await sets().plan(now, { ...management, entries: unknown })).action).toBe("update");
    await bench.configure();
    const more = { ...management, entries: { "203.0.113.7": {}, "10.0.0.0/8": {} } };
    expect((await sets().plan(now, more)).action).toBe("update");
  });

  test("the alias of a rule keeps its network, and the group of a rule its rules", async () => {
    const desk = { own_address, name: "desk", cidr: "203.0.113.0/28" };
    const alias = await aliases().create(desk);
    const admins = { own_address, name: "admins", rules: [accept({ source: "dc/desk" })] };
    const group = await groups().create(admins);
    cluster().rules.push({ type: "group", action: "admins", enable: "1" });
    isOn();
    await bench.configure();
    await expect(aliases().plan(alias, { ...desk, cidr: "198.51.100.0/24" })).rejects.toThrow(message);
    await bench.configure();
    await expect(aliases().planDestroy(alias)).rejects.toThrow(message);
    await bench.configure();
    await expect(groups().plan(group, { ...admins, rules: [] })).rejects.toThrow(message);
    await bench.configure();
    await expect(groups().planDestroy(group)).rejects.toThrow(message);
    await bench.configure();
    expect((await groups().plan(group, { ...admins, comment: "people" })).action).toBe("update");
  });

  test("a set and a rule that replaces it can change together", async () => {
    const now = await sets().create({ own_address, name: "management", entries: { "203.0.113.0/28": {} } });
    isOn();
    await bench.configure();
    await Promise.all([
      sets().plan(now, { own_address, name: "management", entries: {} }),
      bench.rules.plan(null, { own_address, rules: [accept()] }),
    ]);
  });

  test("a policy keeps its sets", async () => {
    const policy = bench.resource("proxmox_firewall_policy");
    const config = (entries: Input) => ({
      ...{ own_address, options: { enabled: true }, rules: [] },
      ipsets: { management: { entries } },
    });
    const now = await policy.create(config({ "203.0.113.0/28": {} }));
    await bench.configure();
    await expect(policy.plan(now, config({ "10.0.0.0/8": {} }))).rejects.toThrow(message);
  });
});

describe("rules of an enabled firewall", () => {
  test("are refused where they lock the provider out, with the rule that does", async () => {
    const now = await bench.rules.create({ own_address, rules: [accept()] });
    bench.file("cluster").options = { enable: "1" };
    await bench.configure();
    const drop = { type: "in", action: "DROP", comment: "all" };
    await expect(bench.rules.plan(now, { own_address, rules: [drop, accept()] })).rejects.toThrow(
      "a rule with DROP (all) of the cluster",
    );
    await expect(bench.rules.plan(now, { own_address, rules: [] })).rejects.toThrow(
      /policy for incoming packets is DROP/,
    );
    await expect(bench.rules.planDestroy(now)).rejects.toThrow(message);
  });

  test("can be destroyed with the options that enable it, and go after it is off", async () => {
    const rules = await bench.rules.create({ own_address, rules: [accept()] });
    const on = await options.create(enabling);
    await bench.configure();
    const calls = await bench.writes(() => Promise.all([bench.rules.destroy(rules), options.destroy(on)]));
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["PUT", "DELETE"]);
  });
});
