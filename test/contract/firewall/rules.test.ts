import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Input } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;

beforeAll(async () => {
  bench = await FirewallBench.start();
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

const ssh = { type: "in", action: "ACCEPT", macro: "ssh", comment: "from everywhere" };
const web = { type: "in", action: "ACCEPT", proto: "tcp", dport: "80,443", source: "10.0.0.0/8" };
const drop = { type: "in", action: "DROP", log: "info" };

describe.each([
  ["the cluster", "cluster", {}],
  ["a node", "node/pve1", { node: "pve1" }],
  ["a VM", "guest/101", { vmid: 101 }],
  ["a container", "guest/102", { vmid: 102 }],
])("rules of %s", (_, key, scope) => {
  test("are created, changed in place, imported and removed", async () => {
    let now = await bench.rules.create({ ...scope, rules: [ssh, drop] });
    expect(bench.stored(key)).toMatchObject([
      { macro: "SSH", isEnabled: true },
      { action: "DROP", log: "info" },
    ]);
    const more = { ...scope, rules: [web, ssh, { ...drop, enabled: false, comment: "not yet" }] };
    now = await bench.rules.update(now, more);
    expect(bench.stored(key).map(({ isEnabled }) => isEnabled)).toEqual([true, true, false]);
    const imported = await bench.rules.import({ id: key });
    expect(attribute(imported, "rules", "2", "enabled")).toBe(false);
    await bench.rules.expectSettled(imported, more);
    await bench.configure();
    now = await bench.rules.update(now, { ...scope, rules: [drop] });
    await bench.rules.destroy(now);
    expect(bench.files[key]).toBeUndefined();
  });
});

test("of a vnet forward packets, and are gone with the vnet", async () => {
  const { sdn } = bench.simulator.sim.world;
  for (const { zones, vnets } of [sdn, sdn.running]) {
    zones["lab"] = { type: "simple", options: {} } as never;
    vnets["web"] = { type: "vnet", options: { zone: "lab" } } as never;
  }
  const rules = [{ type: "forward", action: "DROP", proto: "tcp", dport: "25" }];
  const now = await bench.rules.create({ vnet: "web", rules });
  const options = bench.resource("proxmox_firewall_options");
  const enabled = await options.create({ vnet: { vnet: "web", enabled: true, policy_forward: "DROP" } });
  expect(bench.files["vnet/web"]).toMatchObject({ options: { enable: "1" }, rules: [{ dport: "25" }] });
  const ingoing = { type: "in", action: "ACCEPT" };
  await expect(bench.rules.plan(null, { vnet: "web", rules: [ingoing] })).rejects.toThrow(/are for "forward"/);
  await options.destroy(enabled);
  for (const { vnets } of [sdn, sdn.running]) delete vnets["web"];
  await bench.configure();
  expect(await bench.rules.find(now)).toBeNull();
  await bench.rules.destroy(now);
});

test("of a guest are those of the guest after a migration", async () => {
  const config = { vmid: 101, rules: [ssh] };
  const now = await bench.rules.create(config);
  const guest = bench.simulator.sim.world.guests[101];
  if (guest) guest.node = "pve3";
  await bench.configure();
  await bench.rules.expectSettled(now, config);
  const moved = await bench.rules.update(now, { vmid: 101, rules: [ssh, web] });
  expect(bench.stored("guest/101")).toHaveLength(2);
  await bench.rules.destroy(moved);
  if (guest) guest.node = "pve1";
});

test("of a guest that is gone are gone, and those of one that does not exist are refused", async () => {
  const now = await bench.rules.create({ vmid: 101, rules: [ssh] });
  const { guests } = bench.simulator.sim.world;
  const { 101: guest, ...others } = guests;
  bench.simulator.sim.world.guests = others;
  await bench.configure();
  expect(await bench.rules.find(now)).toBeNull();
  await bench.rules.destroy(now);
  await expect(bench.rules.create({ vmid: 101, rules: [] })).rejects.toThrow("Guest `101` does not exist");
  bench.simulator.sim.world.guests = { ...others, ...(guest && { 101: guest }) };
});

test("that another client added are removed, and moved ones are moved back", async () => {
  const config = { rules: [web, ssh, drop] };
  const now = await bench.rules.create(config);
  const { rules } = bench.file("cluster");
  rules.unshift({ type: "in", action: "ACCEPT", enable: "1" }, ...rules.splice(2, 1));
  const writes = await bench.writes(() => bench.rules.update(now, config));
  expect(writes.map((call) => call.split(" ")[0])).toEqual(["PUT", "DELETE"]);
  expect(bench.stored("cluster")).toMatchObject([{ dport: "80,443" }, { macro: "SSH" }, { action: "DROP" }]);
});

test("that exist already are replaced, and the plan warns", async () => {
  bench.file("cluster").rules = [{ type: "out", action: "DROP", enable: "1" }];
  const now = await bench.rules.create({ rules: [ssh] });
  expect(bench.stored("cluster")).toMatchObject([{ macro: "SSH" }]);
  await bench.rules.destroy(now);
});

describe("are refused in the plan", () => {
  const refused: [string, Input, RegExp][] = [
    [
      "with an unknown macro",
      { rules: [{ ...ssh, macro: "SHS" }] },
      /rules\[0\].*Macro `SHS` does not exist\. Did you mean/s,
    ],
    ["with a reversed range", { rules: [{ ...web, dport: "90:80" }] }, /The range is reversed: write "80:90"/],
    ["with a port without a protocol", { rules: [{ ...web, proto: null }] }, /add `proto = "tcp"` or another/],
    [
      "with a protocol without ports",
      { rules: [{ ...web, proto: "esp" }] },
      /Protocol `esp` has no ports \("80,443"\)/,
    ],
    ["with a port that is none", { rules: [{ ...web, dport: "80;443" }] }, /`80;443` is no port/],
    ["with a port that is too high", { rules: [{ ...web, dport: "70000" }] }, /Ports go up to 65535/],
    ["with a service that is none", { rules: [{ ...web, dport: "80,htpp" }] }, /`htpp` is not the name of a service/],
    ["with an address that is none", { rules: [{ ...web, source: "10.0.0.300" }] }, /Must be an address, a network/],
    ["with a prefix that is too long", { rules: [{ ...web, source: "10.0.0.0/33" }] }, /Must be an address, a network/],
    ["with both versions in one list", { rules: [{ ...web, source: "10.0.0.1,fd00::1" }] }, /all IPv4 or all IPv6/],
    [
      "with a version at each end",
      { rules: [{ ...web, dest: "fd00::1" }] },
      /`fd00::1` is IPv6, and the rest of the rule is IPv4/,
    ],
    [
      "with an alias that does not exist",
      { rules: [{ ...web, source: "dc/nope" }] },
      /Alias `dc\/nope` does not exist.*reference/s,
    ],
    ["with a set that does not exist", { rules: [{ ...web, source: "+nope" }] }, /IP set `\+nope` does not exist/],
    [
      "with a group that does not exist",
      { rules: [{ security_group: "nope" }] },
      /Security group `nope` does not exist/,
    ],
    ["with a group and a port", { rules: [{ security_group: "web", proto: "tcp" }] }, /drops `proto` \("tcp"\) here/],
    ["without an action", { rules: [{ type: "in" }] }, /A rule needs `type` and `action`/],
    ["that reject forwarded packets", { rules: [{ type: "forward", action: "REJECT" }] }, /write "DROP"/],
    [
      "that forward packets of a guest",
      { vmid: 101, rules: [{ type: "forward", action: "DROP" }] },
      /Rules of a guest are for "in" or "out"/,
    ],
    [
      "with an interface that a guest does not have",
      { vmid: 101, rules: [{ ...ssh, iface: "eth0" }] },
      /a slot of the guest such as `net0`/,
    ],
    [
      "with an ICMP type without ICMP",
      { rules: [{ ...web, dport: null, icmp_type: "echo-request" }] },
      /needs `proto = "icmp"`/,
    ],
    [
      "with an ICMP type that is none",
      { rules: [{ ...web, dport: null, source: null, proto: "icmp", icmp_type: "nope" }] },
      /`nope` is not the name of a type of `icmp` packets/,
    ],
    [
      "with a range that is reversed",
      { rules: [{ ...web, source: "10.0.0.9-10.0.0.1" }] },
      /reversed: write "10\.0\.0\.1-10\.0\.0\.9"/,
    ],
    ["of two firewalls", { vmid: 101, node: "pve1", rules: [] }, /either `node` or `vmid`/],
    [
      "with an unknown protocol",
      { rules: [{ ...web, proto: "tpc" }] },
      /rules\[0\]\.proto is "tpc"\. Must be the name of a protocol/,
    ],
    ["with a comment of two lines", { rules: [{ ...ssh, comment: "a\nb" }] }, /one line that is not blank/],
  ];

  test.each(refused)("%s", async (_, config, message) => {
    await expect(bench.rules.plan(null, config)).rejects.toThrow(message);
  });
});

describe("two owners of one list", () => {
  beforeEach(() => bench.configure());
  const list = (port: number) => ({
    vmid: 101,
    rules: [{ type: "in", action: "ACCEPT", proto: "tcp", dport: String(port) }],
  });

  test("are refused in one plan, whether they exist or not", async () => {
    await bench.rules.plan(null, list(22));
    await expect(bench.rules.plan(null, list(80))).rejects.toThrow(
      /Two resources of the type `proxmox_firewall_rules`/,
    );
    await bench.configure();
    await bench.rules.plan(null, { ...list(22), vmid: 102 });
    await bench.rules.plan(null, list(80));
  });

  test("are refused where one of them is removed, and allowed one after the other", async () => {
    const old = await bench.rules.create(list(22));
    await bench.configure();
    await bench.rules.plan(null, list(80));
    await expect(bench.rules.planDestroy(old)).rejects.toThrow(/This plan removes.*add a `moved` block/s);
    await bench.configure();
    await bench.rules.planDestroy(old);
    const policy = { vmid: 101, rules: [] };
    await expect(bench.resource("proxmox_firewall_policy").plan(null, policy)).rejects.toThrow(/destroy = false/);
    await bench.configure();
    await bench.rules.destroy(old);
    await bench.rules.create(list(80));
  });

  test("are one where a resource is replaced", async () => {
    const old = await bench.rules.create({ ...list(22), vmid: 102 });
    await bench.configure();
    const plan = await bench.rules.plan(await bench.rules.refresh(old), list(22));
    expect(plan.action).toBe("replace");
    await bench.rules.destroy(await bench.rules.apply(plan));
  });
});
