import { die } from "../core/kernel/failure.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";
import { nodeFormat, nodeListFormat } from "../core/schema/formats.ts";
import { dnsNameFormat, ipListFormat, macAddressFormat } from "../core/schema/network-formats.ts";
import { array, boolean, integer, string } from "../core/schema/schema.ts";
import type { OptionRules } from "../core/sections/section-config.ts";
import { controllerId, fabricIdFormat } from "./formats.ts";

const optional = { optional: true } as const;
const shared = {
  nodes: optional,
  mtu: optional,
  dns: optional,
  reversedns: optional,
  dnszone: optional,
  ipam: optional,
};
const { mtu: _, ...withoutMtu } = shared;

export const zoneTypes = ["evpn", "faucet", "qinq", "simple", "vlan", "vxlan"] as const;

/** pve-network `src/PVE/Network/SDN/Zones/*Plugin.pm`. */
export const zoneRules: Record<string, OptionRules> = {
  simple: { ...shared, dhcp: optional },
  vlan: { ...shared, bridge: {}, "bridge-disable-mac-learning": optional },
  qinq: { ...shared, tag: {}, bridge: {}, "bridge-disable-mac-learning": optional, "vlan-protocol": optional },
  vxlan: { ...shared, peers: optional, "vxlan-port": optional, fabric: optional },
  evpn: {
    ...shared,
    "vrf-vxlan": {},
    controller: {},
    exitnodes: optional,
    "exitnodes-local-routing": optional,
    "exitnodes-primary": optional,
    "advertise-subnets": optional,
    "disable-arp-nd-suppression": optional,
    "bridge-disable-mac-learning": optional,
    "rt-import": optional,
    "secondary-controllers": optional,
    "vxlan-port": optional,
    mac: optional,
  },
  faucet: { ...withoutMtu, "dp-id": {}, controller: {} },
};

const largest = 4294967295;

const routeTargetFormat = namedFormat("pve-sdn-bgp-rt", (value) => {
  const [, asn, id] = /^(\d+):(\d+)\n?$/.exec(value) ?? [];
  if (asn === undefined || Number(asn) > largest || Number(id) > largest) {
    die("value does not look like a valid bgp route-target");
  }
});

const text = string({ optional: true });
const flag = boolean({ optional: true });

export const zoneOptions = {
  "advertise-subnets": flag,
  bridge: text,
  "bridge-disable-mac-learning": flag,
  controller: text,
  dhcp: string({ optional: true, enum: ["dnsmasq"] }),
  "disable-arp-nd-suppression": flag,
  dns: text,
  dnszone: string({ optional: true, format: dnsNameFormat }),
  "dp-id": integer({ optional: true }),
  exitnodes: string({ optional: true, format: nodeListFormat }),
  "exitnodes-local-routing": flag,
  "exitnodes-primary": string({ optional: true, format: nodeFormat }),
  fabric: string({ optional: true, format: fabricIdFormat }),
  ipam: text,
  mac: string({ optional: true, format: macAddressFormat }),
  mtu: integer({ optional: true }),
  nodes: string({ optional: true, format: nodeListFormat }),
  peers: string({ optional: true, format: ipListFormat }),
  reversedns: text,
  "rt-import": string({ optional: true, format: listOf(routeTargetFormat) }),
  "secondary-controllers": array(controllerId, { optional: true }),
  tag: integer({ optional: true, minimum: 0 }),
  "vlan-protocol": string({ optional: true, enum: ["802.1q", "802.1ad"], default: "802.1q" }),
  "vrf-vxlan": integer({ optional: true, minimum: 1, maximum: 16777215 }),
  "vxlan-port": integer({ optional: true, minimum: 1, maximum: 65536, default: 4789 }),
};
