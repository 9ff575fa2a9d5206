import type { Row } from "./row.ts";

/** What the rows refer to. */
export const sdn = {
  zones: [
    { zone: "vlans", type: "vlan", bridge: "vmbr0" },
    { zone: "base", type: "simple" },
    { zone: "spare", type: "simple" },
  ],
  vnets: [{ vnet: "basenet", zone: "base" }],
  fabrics: [
    { id: "one", protocol: "openfabric", ip_prefix: "10.1.0.0/24" },
    { id: "two", protocol: "openfabric", ip_prefix: "10.2.0.0/24" },
    { id: "six", protocol: "openfabric", ip6_prefix: "fd00:1::/64" },
    { id: "ospf1", protocol: "ospf", ip_prefix: "10.11.0.0/24", area: "11" },
  ],
  prefix_lists: [{ id: "first" }, { id: "second" }],
  ipams: [{ ipam: "netbox", type: "netbox", url: "https://netbox.example.com", token: "secret" }],
  dns: [
    { dns: "power", type: "powerdns", url: "https://dns.example.com", key: "secret" },
    { dns: "spare", type: "powerdns", url: "https://dns2.example.com", key: "secret" },
  ],
};

/** Controllers that a zone names, and route maps that a controller names. */
const withControllers =
  (...names: string[]): NonNullable<Row["prepare"]> =>
  ({ sdn: { running, ...edited } }) => {
    for (const { controllers, routeMaps } of [edited, running]) {
      for (const map of ["inward", "outward"]) {
        const options = { "route-map-id": map, order: "10", action: "permit" };
        routeMaps[`${map}_10`] = { type: "route-map-entry", options };
      }
      for (const name of Object.keys(controllers)) delete controllers[name];
      for (const name of names) {
        const options = { asn: "65000", peers: "10.0.0.1", "peer-group-name": name };
        controllers[name] = { type: "evpn", options };
      }
    }
  };

const common = {
  nodes: [["pve1"], ["pve2", "pve3"]],
  mtu: [1450, 9000],
  ipam: ["pve", "netbox"],
  dns: ["power", "spare"],
  reverse_dns: ["power", "spare"],
} satisfies Row["values"];

const flags = (type: string, ...names: string[]): Row["values"] =>
  Object.fromEntries(names.map((name) => [`${type}.${name}`, [true, false]]));

export const zoneRow: Row = {
  type: "proxmox_sdn_zone",
  base: { id: "lab", simple: {} },
  values: { ...common, "simple.dhcp": ["dnsmasq", "dnsmasq"] },
  others: [
    {
      base: { id: "site", dns: "power", vlan: { bridge: "vmbr0" } },
      values: {
        dns_zone: ["lab.example.com", "example.com"],
        "vlan.bridge": ["vmbr1", "vmbr0"],
        ...flags("vlan", "disable_mac_learning"),
      },
    },
    {
      base: { id: "double", qinq: { bridge: "vmbr0", service_vlan: 100 } },
      values: {
        "qinq.bridge": ["vmbr1", "vmbr0"],
        "qinq.service_vlan": [200, 300],
        "qinq.service_vlan_protocol": ["802.1ad", "802.1q"],
        ...flags("qinq", "disable_mac_learning"),
      },
    },
    {
      base: { id: "tunnel", vxlan: { peers: ["10.0.0.1", "10.0.0.2"] } },
      values: { "vxlan.peers": [["10.0.0.1"], ["10.0.0.3", "10.0.0.2"]], "vxlan.port": [4790, 4791] },
    },
    {
      base: { id: "woven", vxlan: { fabric: "one" } },
      values: { "vxlan.fabric": ["two", "one"] },
    },
    {
      prepare: withControllers("evpn", "other", "third", "fourth"),
      base: { id: "routed", evpn: { controller: "evpn", vrf_vxlan: 1000 } },
      values: {
        "evpn.controller": ["other", "evpn"],
        "evpn.secondary_controllers": [["third"], ["third", "fourth"]],
        "evpn.vrf_vxlan": [1001, 1002],
        "evpn.exit_nodes": [["pve1"], ["pve2", "pve3"]],
        "evpn.primary_exit_node": ["pve1", "pve2"],
        "evpn.rt_import": [["65000:1"], ["65000:2", "65001:3"]],
        "evpn.port": [4790, 4791],
        ...flags(
          "evpn",
          "exit_nodes_local_routing",
          "advertise_subnets",
          "disable_arp_nd_suppression",
          "disable_mac_learning",
        ),
      },
    },
  ],
};

export const vnetRow: Row = {
  type: "proxmox_sdn_vnet",
  base: { id: "web", zone: "vlans", tag: 20 },
  values: {
    tag: [21, 22],
    alias: ["Web servers", "Other (old)"],
    vlan_aware: [true, false],
    isolate_ports: [true, false],
  },
  others: [{ base: { id: "plain", zone: "base" }, values: { zone: ["spare", "base"] } }],
};

export const subnetRow: Row = {
  type: "proxmox_sdn_subnet",
  base: { vnet: "basenet", cidr: "10.20.0.0/24" },
  values: {
    gateway: ["10.20.0.1", "10.20.0.254"],
    snat: [true, false],
    dns_zone_prefix: ["adm", "web"],
    dhcp_dns_server: ["10.20.0.2", "9.9.9.9"],
    dhcp_ranges: [
      [{ start: "10.20.0.10", end: "10.20.0.20" }],
      [
        { start: "10.20.0.10", end: "10.20.0.30" },
        { start: "10.20.0.100", end: "10.20.0.200" },
      ],
    ],
  },
  others: [
    {
      base: { vnet: "basenet", cidr: "fd00:20::/64" },
      values: { gateway: ["fd00:20::1", "fd00:20::2"] },
    },
  ],
};

export const controllerRow: Row = {
  type: "proxmox_sdn_controller",
  prepare: withControllers(),
  base: { id: "evpn-1", evpn: { asn: 65_000, peers: ["10.0.0.1"] } },
  values: {
    "evpn.asn": [65_001, 65_002],
    "evpn.peers": [["10.0.0.2"], ["10.0.0.1", "10.0.0.3"]],
    "evpn.nodes": [["pve1"], ["pve2", "pve3"]],
    "evpn.peer_group": ["inner", "outer"],
    "evpn.bgp_mode": ["external", "internal"],
    "evpn.ebgp_multihop": [2, 3],
    "evpn.route_map_in": ["inward", "outward"],
    "evpn.route_map_out": ["outward", "inward"],
  },
  others: [
    {
      base: { id: "woven-1", evpn: { asn: 65_000, fabric: "one" } },
      values: { "evpn.fabric": ["two", "one"] },
    },
    {
      base: { id: "bgp-1", bgp: { node: "pve1", asn: 65_000, peers: ["10.0.0.1"] } },
      values: {
        "bgp.node": ["pve2", "pve3"],
        "bgp.asn": [65_001, 65_002],
        "bgp.peers": [["10.0.0.2"], ["10.0.0.1", "10.0.0.3"]],
        "bgp.ebgp_multihop": [2, 3],
        "bgp.loopback": ["dummy1", "lo1"],
        "bgp.route_map_in": ["inward", "outward"],
        "bgp.route_map_out": ["outward", "inward"],
        ...flags("bgp", "ebgp", "multipath_as_path_relax"),
      },
    },
    {
      base: {
        id: "isis-1",
        isis: { node: "pve1", domain: "lab", net: "49.0001.1921.6800.1002.00", interfaces: ["eth0"] },
      },
      values: {
        "isis.node": ["pve2", "pve3"],
        "isis.domain": ["site", "other"],
        "isis.net": ["49.0001.1921.6800.1003.00", "49.0001.1921.6800.1004.00"],
        "isis.interfaces": [["eth1"], ["eth0", "eth2"]],
        "isis.loopback": ["dummy1", "lo1"],
      },
    },
  ],
};

export const prefixListRow: Row = {
  type: "proxmox_sdn_prefix_list",
  base: { id: "internal", entries: { 10: { action: "permit", prefix: "10.0.0.0/8" } } },
  values: {
    entries: [
      {
        5: { action: "deny", prefix: "10.9.0.0/16", le: 32 },
        10: { action: "permit", prefix: "10.0.0.0/8", ge: 9, le: 24 },
      },
      { 20: { action: "permit", prefix: "fd00::/8", ge: 64 } },
    ],
  },
};

export const routeMapEntryRow: Row = {
  type: "proxmox_sdn_route_map_entry",
  base: { route_map: "to-peers", order: 10, action: "permit" },
  values: {
    action: ["deny", "permit"],
    match: [
      [{ key: "ip-address-prefix-list", value: "internal" }],
      [
        { key: "metric", value: "10" },
        { key: "tag", value: "untagged" },
      ],
    ],
    set: [
      [{ key: "local-preference", value: "+10" }],
      [{ key: "ip-next-hop-unchanged" }, { key: "weight", value: "5" }],
    ],
    call: ["inward", "outward"],
    "exit_action.key": ["on-match-next", "on-match-next"],
  },
  others: [
    {
      base: { route_map: "to-peers", order: 20, action: "permit", exit_action: { key: "on-match-goto", value: 50 } },
      values: { "exit_action.value": [30, 40] },
    },
  ],
};

export const fabricRow: Row = {
  type: "proxmox_sdn_fabric",
  base: { id: "fab", ip_prefix: "10.3.0.0/24", openfabric: {} },
  values: {
    "openfabric.hello_interval": [5, 6],
    "openfabric.csnp_interval": [20, 30],
    "openfabric.route_filter": ["first", "second"],
  },
  others: [
    {
      base: { id: "paths", ip_prefix: "10.4.0.0/24", ospf: { area: "0" } },
      values: {
        "ospf.area": ["1", "0.0.0.2"],
        "ospf.route_filter": ["first", "second"],
        "ospf.redistribute": [{ static: {} }, { bgp: { route_map: "inward" }, kernel: {} }],
      },
    },
    {
      base: { id: "peers", ip_prefix: "10.5.0.0/24", bgp: {} },
      values: {
        "bgp.bfd": [true, false],
        "bgp.route_filter": ["first", "second"],
        "bgp.redistribute": [{ connected: {} }, { ospf: { route_map: "inward" }, static: {} }],
        "bgp.route_map_in": ["inward", "outward"],
        "bgp.route_map_out": ["outward", "inward"],
      },
    },
  ],
};

/** Not part of what all rows refer to: it excludes BGP controllers. */
const withBgpFabric: NonNullable<Row["prepare"]> = ({ sdn: { running, ...edited } }) => {
  for (const { fabrics } of [edited, running]) {
    const options = { id: "bgp1", protocol: "bgp", ip_prefix: "10.12.0.0/24" };
    fabrics["bgp1"] = { type: "bgp_fabric", options };
  }
};

export const fabricNodeRow: Row = {
  type: "proxmox_sdn_fabric_node",
  base: { fabric: "one", node: "pve1", protocol: "openfabric", ip: "10.1.0.1", interfaces: { eth1: {} } },
  values: {
    ip: ["10.1.0.2", "10.1.0.3"],
    interfaces: [
      { eth1: { hello_multiplier: 4 }, eth2: { ip: "10.9.0.1/31" } },
      { eth2: { ip6: "fd00::1/127", hello_multiplier: 5 } },
    ],
  },
  others: [
    {
      base: { fabric: "six", node: "pve1", protocol: "openfabric", ip6: "fd00:1::1", interfaces: { eth5: {} } },
      values: { ip6: ["fd00:1::2", "fd00:1::3"] },
    },
    {
      base: { fabric: "ospf1", node: "pve1", protocol: "ospf", ip: "10.11.0.1", interfaces: { eth6: {} } },
      values: { interfaces: [{ eth6: { network_type: "broadcast" } }, { eth6: { ip: "10.8.0.1/31" } }] },
    },
    {
      prepare: withBgpFabric,
      base: { fabric: "bgp1", node: "pve1", protocol: "bgp", asn: 65_001, ip: "10.12.0.1", interfaces: { eth7: {} } },
      values: { asn: [65_002, 65_003], interfaces: [{ eth7: {}, eth8: {} }, { eth9: {} }] },
    },
  ],
};

const fingerprint = Array(32).fill("AB").join(":");

const serverValues = (prefix: string): Row["values"] => ({
  [`${prefix}url`]: ["https://second.example.com/api", "https://third.example.com/api"],
  [`${prefix}fingerprint`]: [fingerprint, fingerprint.replaceAll("AB", "CD")],
});

const url = "https://first.example.com/api";

export const ipamRow: Row = {
  type: "proxmox_sdn_ipam",
  base: { id: "boxes", netbox: { url, token: "secret" } },
  values: serverValues("netbox."),
  others: [
    {
      base: { id: "phpipam", phpipam: { url, token: "secret", section: 1 } },
      values: { ...serverValues("phpipam."), "phpipam.section": [2, 3] },
    },
  ],
};

export const dnsRow: Row = {
  type: "proxmox_sdn_dns",
  base: { id: "names", url, key: "secret" },
  values: { ...serverValues(""), ttl: [60, 3600], reverse_mask_v6: [48, 64] },
};
