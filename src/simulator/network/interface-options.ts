import { interfaceFormat, interfaceListFormat, vlanIdOrRangeListFormat } from "../core/schema/formats.ts";
import { cidrV4Format, cidrV6Format, ipv4Format, ipv4MaskFormat, ipv6Format } from "../core/schema/network-formats.ts";
import { boolean, integer, string } from "../core/schema/schema.ts";

export const interfaceTypes = [
  "bridge",
  "bond",
  "eth",
  "alias",
  "vlan",
  "fabric",
  "OVSBridge",
  "OVSBond",
  "OVSPort",
  "OVSIntPort",
  "vnet",
] as const;

const text = string({ optional: true });
const ports = string({ optional: true, format: interfaceListFormat });
const port = string({ optional: true, format: interfaceFormat });
const vlan = integer({ optional: true, minimum: 1, maximum: 4094 });

export const iface = string({ format: interfaceFormat, minLength: 2, maxLength: 20 });

/** pve-manager `PVE/API2/Network.pm`, `$confdesc`. */
export const interfaceOptions = {
  type: string({ enum: [...interfaceTypes, "unknown"] }),
  address: string({ optional: true, format: ipv4Format, requires: "netmask" }),
  address6: string({ optional: true, format: ipv6Format, requires: "netmask6" }),
  autostart: boolean({ optional: true }),
  bond_mode: string({
    optional: true,
    enum: [
      "balance-rr",
      "active-backup",
      "balance-xor",
      "broadcast",
      "802.3ad",
      "balance-tlb",
      "balance-alb",
      "balance-slb",
      "lacp-balance-slb",
      "lacp-balance-tcp",
    ],
  }),
  "bond-primary": port,
  bond_xmit_hash_policy: string({ optional: true, enum: ["layer2", "layer2+3", "layer3+4"] }),
  bridge_ports: ports,
  bridge_vids: string({ optional: true, format: vlanIdOrRangeListFormat }),
  bridge_vlan_aware: boolean({ optional: true }),
  cidr: string({ optional: true, format: cidrV4Format }),
  cidr6: string({ optional: true, format: cidrV6Format }),
  comments: text,
  comments6: text,
  gateway: string({ optional: true, format: ipv4Format }),
  gateway6: string({ optional: true, format: ipv6Format }),
  mtu: integer({ optional: true, minimum: 1280, maximum: 65520 }),
  netmask: string({ optional: true, format: ipv4MaskFormat, requires: "address" }),
  netmask6: integer({ optional: true, minimum: 0, maximum: 128, requires: "address6" }),
  ovs_bonds: ports,
  ovs_bridge: port,
  ovs_options: string({ optional: true, maxLength: 1024 }),
  ovs_ports: ports,
  ovs_tag: vlan,
  slaves: ports,
  "vlan-id": vlan,
  "vlan-raw-device": port,
};
