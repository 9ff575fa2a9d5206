import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { encode } from "../../harness/cty-codec.ts";
import { type ManagedResource, unknown } from "../../harness/index.ts";
import { objectType, parseBlock } from "../../harness/schema.ts";
import { toValue } from "../../harness/value.ts";
import type { WireBlock } from "../../harness/wire.ts";
import { attribute } from "../resource-bench.ts";
import { FirewallBench } from "./firewall-bench.ts";

let bench: FirewallBench;
let aliases: ManagedResource;

beforeAll(async () => {
  bench = await FirewallBench.start();
  aliases = bench.resource("proxmox_firewall_alias");
});
afterEach(async () => {
  bench.simulator.faults.clear();
  for (const key of Object.keys(bench.files)) delete bench.files[key];
  await bench.configure();
});
afterAll(() => bench.close());

describe.each([
  ["the cluster", "cluster", {}, "Office", "dc/Office"],
  ["a guest", "guest/101", { vmid: 101 }, "guest/101/Office", "guest/Office"],
])("an alias of %s", (_, key, scope, id, reference) => {
  const base = { ...scope, name: "Office", cidr: "198.51.100.0/24" };

  test("is created, changed in place, renamed, imported and destroyed", async () => {
    let now = await aliases.create(base);
    expect([attribute(now, "id"), attribute(now, "reference")]).toEqual([id, reference]);
    now = await aliases.update(now, { ...base, cidr: "198.51.100.7/32", comment: "in town" });
    expect(bench.files[key]?.aliases["office"]).toEqual({ name: "Office", cidr: "198.51.100.7", comment: "in town" });
    now = await aliases.update(now, { ...base, cidr: "2001:db8::/64" });
    expect(bench.files[key]?.aliases["office"]).toEqual({ name: "Office", cidr: "2001:db8::/64" });
    await aliases.expectSettled(await aliases.import({ id }), { ...base, cidr: "2001:db8::/64" });
    expect((await aliases.plan(now, { ...base, name: "hq" })).action).toBe("update");
    const writes = await bench.writes(async () => {
      now = await aliases.update(now, { ...base, name: "hq", comment: "moved" });
    });
    expect(writes).toHaveLength(1);
    expect(Object.keys(bench.files[key]?.aliases ?? {})).toEqual(["hq"]);
    await aliases.destroy(now);
    expect(bench.files[key]).toBeUndefined();
    expect(await aliases.find(now)).toBeNull();
  });

  test("survives answers that are lost, before and after the work", async () => {
    const path = key === "cluster" ? "/cluster/firewall/aliases" : "/nodes/{node}/qemu/{vmid}/firewall/aliases";
    const lose = (call: string, more: object = {}) =>
      bench.simulator.faults.order({ do: "answer", call, status: 596, ...more });
    lose(`POST ${path}`);
    await expect(aliases.create(base)).rejects.toThrow("The answer was lost");
    lose(`POST ${path}`, { after: 1 });
    let now = await aliases.create(base);
    lose(`PUT ${path}/{name}`);
    await expect(aliases.update(now, { ...base, name: "hq" })).rejects.toThrow("The answer was lost");
    lose(`PUT ${path}/{name}`, { after: 1 });
    now = await aliases.update(now, { ...base, name: "hq" });
    lose(`DELETE ${path}/{name}`, { after: 1 });
    await aliases.destroy(now);
    expect(bench.files[key]).toBeUndefined();
  });

  test("that exists is refused, in any case, and values may be unknown", async () => {
    await aliases.create(base);
    await bench.configure();
    await expect(aliases.plan(null, { ...base, name: "OFFICE" })).rejects.toThrow(/exists already/);
    await expect(aliases.plan(null, { ...base, name: "other", cidr: "10.0.0.0/33" })).rejects.toThrow(
      /IP address or a network/,
    );
    for (const more of [{ name: unknown }, { cidr: unknown }, { comment: unknown }]) {
      expect((await aliases.plan(null, { ...base, name: "fresh", ...more })).action).toBe("create");
    }
  });
});

test("names each privilege that the caller lacks, and is planned by one that has them", async () => {
  const { access } = bench.simulator.sim.world;
  access.acl = access.acl.filter(({ ugid }) => !ugid.startsWith("noacl@pve"));
  access.roles["exactly"] = ["Sys.Audit", "VM.Audit"];
  for (const [type, ugid] of [
    ["user", "noacl@pve"],
    ["token", "noacl@pve!tf"],
  ] as const) {
    access.acl.push({ path: "/", type, ugid, roleid: "exactly", propagate: true });
  }
  await bench.configure("noacl@pve!tf");
  await expect(aliases.plan(null, { name: "hq", cidr: "10.0.0.1" })).rejects.toThrow(/\/: Sys\.Modify/);
  // Within one run, a privilege that many resources lack is reported once.
  await bench.configure("noacl@pve!tf");
  await expect(bench.rules.plan(null, { rules: [] })).rejects.toThrow(/\/: Sys\.Modify/);
  await bench.configure("noacl@pve!tf");
  await expect(bench.rules.plan(null, { vmid: 101, rules: [] })).rejects.toThrow(/VM\.Config\.Network/);
  access.roles["exactly"] = ["Sys.Audit", "Sys.Modify"];
  await bench.configure("noacl@pve!tf");
  expect((await aliases.plan(null, { name: "hq", cidr: "10.0.0.1" })).action).toBe("create");
});

test("aliases, sets and groups of the cluster are listed for queries", async () => {
  const file = bench.file("cluster");
  file.aliases["office"] = { name: "office", cidr: "198.51.100.0/24" };
  file.sets["admins"] = { entries: [] };
  file.groups["web"] = { rules: [] };
  const { list_resource_schemas: schemas } = await bench.provider.wire.call("GetProviderSchema", {});
  const listed = async (type_name: string) => {
    const shape = objectType(parseBlock((schemas[type_name] as { block: WireBlock }).block));
    const config = { msgpack: encode(shape, toValue(shape, {})) };
    const names: string[] = [];
    const request = { type_name, config, limit: 100, include_resource_object: true };
    for await (const event of bench.provider.wire.stream("ListResource", request)) names.push(event.display_name);
    return names;
  };
  expect(await listed("proxmox_firewall_alias")).toEqual(["office"]);
  expect(await listed("proxmox_firewall_ipset")).toEqual(["admins"]);
  expect(await listed("proxmox_firewall_security_group")).toEqual(["web"]);
});
