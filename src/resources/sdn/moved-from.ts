import { bpg } from "#kit";

const common = {
  ...{ id: "id", nodes: "nodes", mtu: "mtu", ipam: "ipam" },
  ...{ dns: "dns", reverse_dns: "reverse_dns", dns_zone: "dns_zone" },
} as const;

/** bpg has a type for each type of zone. */
const zone = (type: string, ...members: readonly string[]) =>
  bpg(`sdn_zone_${type}`, {
    ...common,
    [type]: () => ({}),
    ...Object.fromEntries(members.map((member) => [`${type}.${member}`, member])),
  });

export const zonesMovedFrom = [
  zone("simple", "dhcp"),
  zone("vlan", "bridge"),
  zone("qinq", "bridge", "service_vlan", "service_vlan_protocol"),
  zone("vxlan", "peers"),
  zone(
    "evpn",
    ...["controller", "vrf_vxlan", "exit_nodes", "primary_exit_node", "exit_nodes_local_routing"],
    ...["advertise_subnets", "disable_arp_nd_suppression"],
  ),
];

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
