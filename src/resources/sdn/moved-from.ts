import { bpg, onlyIf } from "#kit";

const common = {
  ...{ id: "id", nodes: "nodes", mtu: "mtu", ipam: "ipam" },
  ...{ dns: "dns", reverse_dns: "reverse_dns", dns_zone: "dns_zone" },
} as const;

/** bpg has a type for each type of zone. */
const zone = (type: string, members: readonly string[], flags: readonly string[] = []) =>
  bpg(`sdn_zone_${type}`, {
    ...common,
    [type]: () => ({}),
    ...Object.fromEntries(members.map((member) => [`${type}.${member}`, member])),
    ...Object.fromEntries(flags.map((flag) => [`${type}.${flag}`, onlyIf(true, flag)])),
  });

export const zonesMovedFrom = [
  zone("simple", ["dhcp"]),
  zone("vlan", ["bridge"]),
  zone("qinq", ["bridge", "service_vlan", "service_vlan_protocol"]),
  zone("vxlan", ["peers"]),
  zone(
    "evpn",
    ["controller", "vrf_vxlan", "exit_nodes", "primary_exit_node"],
    ["advertise_subnets", "disable_arp_nd_suppression", "exit_nodes_local_routing"],
  ),
];

export const controllersMovedFrom = [
  bpg("sdn_controller_evpn", { id: "id", "evpn.asn": "asn", "evpn.peers": "peers", "evpn.fabric": "fabric" }),
];

const prefixes = { id: "id", ip_prefix: "ip_prefix" } as const;

export const fabricsMovedFrom = [
  bpg("sdn_fabric_openfabric", {
    ...{ ...prefixes, ip6_prefix: "ip6_prefix", openfabric: () => ({}) },
    ...{ "openfabric.hello_interval": "hello_interval", "openfabric.csnp_interval": "csnp_interval" },
  }),
  bpg("sdn_fabric_ospf", { ...prefixes, "ospf.area": "area" }),
];

/** bpg has the names of the interfaces only; the refresh reads the rest. */
export const fabricNodesMovedFrom = (["openfabric", "ospf"] as const).map((protocol) =>
  bpg(`sdn_fabric_node_${protocol}`, {
    ...{ fabric: "fabric_id", node: "node_id", ip: "ip", ...(protocol === "openfabric" && { ip6: "ip6" }) },
    protocol: () => protocol,
  }),
);

export const vnetsMovedFrom = [
  bpg("sdn_vnet", {
    ...{ id: "id", zone: "zone", tag: "tag", alias: "alias" },
    ...{ vlan_aware: "vlan_aware", isolate_ports: "isolate_ports" },
  }),
];

export const subnetsMovedFrom = [
  bpg("sdn_subnet", {
    ...{ vnet: "vnet", cidr: "cidr", gateway: "gateway", snat: "snat" },
    ...{ dns_zone_prefix: "dns_zone_prefix", dhcp_dns_server: "dhcp_dns_server" },
    // A block of one range.
    dhcp_ranges: (old) => {
      const range = old.block("dhcp_range");
      const [start, end] = [range.text("start_address"), range.text("end_address")];
      return start && end ? [{ start, end }] : undefined;
    },
  }),
];
