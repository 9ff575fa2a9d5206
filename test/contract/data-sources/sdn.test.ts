import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed } from "#simulator";
import { sdn } from "../crud/sdn-rows.ts";
import { LookupBench } from "./lookup-bench.ts";

let bench: LookupBench;

beforeAll(async () => {
  bench = await LookupBench.open({ seed: { ...defaultSeed(), sdn } });
  const { sdn: staged, nodes } = bench.simulator.sim.world;
  // What the seed has is in effect; these wait.
  staged.zones["later"] = { type: "simple", options: { ipam: "pve", nodes: "pve1,pve2" } };
  const zone = staged.zones["vlans"];
  if (zone) zone.options = { ...zone.options, mtu: "1400" };
  delete staged.zones["spare"];
  const subnet = {
    vnet: "basenet",
    gateway: "10.5.0.1",
    snat: "1",
    "dhcp-range": ["start-address=10.5.0.10,end-address=10.5.0.20"],
  };
  staged.subnets["base-10.5.0.0-24"] = { type: "subnet", options: subnet };
  staged.controllers["evpn"] = { type: "evpn", options: { asn: "65000", peers: "10.0.0.1,10.0.0.2" } };
  if (nodes["pve3"]) nodes["pve3"].online = false;
});
afterAll(() => bench.close());

const look = async (type: string, config = {}) => (await bench.lookUp(type, config)).found;
const rows = async (type: string, items: string, config = {}) =>
  (await look(type, config))[items] as Record<string, unknown>[];

describe("lists of the SDN", () => {
  test("zones, with what waits and their state on the nodes", async () => {
    const zones = await rows("proxmox_sdn_zones", "zones");
    expect(zones.map(({ id, state }) => [id, state])).toEqual([
      ["base", null],
      ["later", "new"],
      ["spare", "deleted"],
      ["vlans", "changed"],
    ]);
    expect(zones[1]).toMatchObject({ type: "simple", ipam: "pve", nodes: ["pve1", "pve2"], status: {} });
    expect(zones[3]).toMatchObject({ type: "vlan", bridge: "vmbr0", mtu: 1400 });
    expect(Object.keys(zones[0]?.["status"] as object).sort()).toEqual(["pve1", "pve2"]);
    expect((await look("proxmox_sdn_zones", { type: "vlan" }))["ids"]).toEqual(["vlans"]);
  });

  test("vnets, by zone", async () => {
    expect(await rows("proxmox_sdn_vnets", "vnets", { zone: "base" })).toEqual([
      { id: "basenet", zone: "base", tag: null, alias: null, vlan_aware: false, isolate_ports: false, state: null },
    ]);
    expect(await rows("proxmox_sdn_vnets", "vnets", { zone: "none" })).toEqual([]);
  });

  test("subnets of all vnets", async () => {
    expect(await rows("proxmox_sdn_subnets", "subnets")).toEqual([
      {
        ...{ id: "base-10.5.0.0-24", vnet: "basenet", zone: "base", cidr: "10.5.0.0/24", gateway: "10.5.0.1" },
        ...{ snat: true, dns_zone_prefix: null, dhcp_dns_server: null, state: "new" },
        dhcp_ranges: [{ start: "10.5.0.10", end: "10.5.0.20" }],
      },
    ]);
    expect(await rows("proxmox_sdn_subnets", "subnets", { vnet: "other" })).toEqual([]);
  });

  test("controllers, and fabrics with their nodes", async () => {
    expect(await rows("proxmox_sdn_controllers", "controllers", { type: "evpn" })).toMatchObject([
      { id: "evpn", asn: 65_000, peers: ["10.0.0.1", "10.0.0.2"], state: "new" },
    ]);
    const { world } = bench.simulator.sim;
    world.sdn.fabrics["one_pve2"] ??= {
      type: "openfabric_node",
      options: { fabric_id: "one", node_id: "pve2", ip: "10.1.0.2", interfaces: ["name=eth2", "name=eth1"] },
    } as never;
    const fabrics = await rows("proxmox_sdn_fabrics", "fabrics", { protocol: "openfabric" });
    expect(fabrics.map(({ id }) => id)).toEqual(["one", "six", "two"]);
    expect(fabrics[0]).toMatchObject({
      ip_prefix: "10.1.0.0/24",
      nodes: [{ node: "pve2", ip: "10.1.0.2", ip6: null, interfaces: ["eth1", "eth2"] }],
    });
  });
});

test("what a commit would change is shown, with the files of each node that is online", async () => {
  const found = (await look("proxmox_sdn_changes")) as {
    pending: boolean;
    changes: object[];
    nodes: Record<string, { interfaces: string | null; frr: string | null }>;
  };
  expect(found.pending).toBe(true);
  expect(found.changes).toContainEqual({ type: "zone", id: "later", state: "new" });
  expect(found.changes).toContainEqual({ type: "zone", id: "spare", state: "deleted" });
  expect(found.changes).toContainEqual({ type: "subnet", id: "basenet/10.5.0.0/24", state: "new" });
  expect(Object.keys(found.nodes).sort()).toEqual(["pve1", "pve2"]);
  expect(found.nodes["pve1"]?.interfaces).toContain("10.5.0.1/24");
});
