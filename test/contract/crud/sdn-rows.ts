import type { Row } from "./row.ts";

/** What the rows refer to. */
export const sdn = {
  zones: [
    { zone: "vlans", type: "vlan", bridge: "vmbr0" },
    { zone: "base", type: "simple" },
    { zone: "spare", type: "simple" },
  ],
  vnets: [{ vnet: "basenet", zone: "base" }],
  controllers: ["evpn", "other"].map((controller) => ({ controller, type: "evpn", asn: 65_000, peers: "10.0.0.1" })),
  fabrics: [
    { id: "one", protocol: "openfabric", ip_prefix: "10.1.0.0/24" },
    { id: "two", protocol: "openfabric", ip_prefix: "10.2.0.0/24" },
  ],
  ipams: [{ ipam: "netbox", type: "netbox", url: "https://netbox.example.com", token: "secret" }],
  dns: [
    { dns: "power", type: "powerdns", url: "https://dns.example.com", key: "secret" },
    { dns: "spare", type: "powerdns", url: "https://dns2.example.com", key: "secret" },
  ],
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
      base: { id: "routed", evpn: { controller: "evpn", vrf_vxlan: 1000 } },
      values: {
        "evpn.controller": ["other", "evpn"],
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
