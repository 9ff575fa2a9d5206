import { namedFormat } from "../core/schema/format.ts";
import { interfaceFormat, nodeFormat } from "../core/schema/formats.ts";
import { cidrFormat, cidrV4Format, cidrV6Format, ipv4Format, ipv6Format } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { array, boolean, integer, number, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { fabricId } from "./formats.ts";
import { fullRangeCidrFormat, prefixListIdFormat } from "./prefix-lists.ts";
import { routeMapIdFormat } from "./route-maps.ts";
import { lockToken } from "./sections.ts";

// pve-network `src/PVE/Network/SDN/Fabrics.pm`, proxmox-ve-rs `proxmox-ve-config/src/sdn/fabric`.

const optional = { optional: true } as const;
const interval = number({ optional: true, minimum: 1, maximum: 600 });

export const protocols = ["openfabric", "ospf", "wireguard", "bgp"] as const;
export type Protocol = (typeof protocols)[number];
export const protocol = string({ enum: protocols });
const role = string({ optional: true, enum: ["internal", "external"] });

/** One of WireGuard has a name of its own form; that of the other protocols is the name of an interface of the node. */
const interfaceNameFormat = namedFormat("pve-iface", (value) => {
  if (!/^[A-Za-z0-9][A-Za-z0-9-]{0,6}[A-Za-z0-9]?$/.test(value)) {
    interfaceFormat.verify(value);
  }
});

/** The properties of an interface of any protocol. */
export const interfacePropertiesFormat = propertyFormat({
  name: string({ format: interfaceNameFormat }),
  hello_multiplier: integer({ optional: true, minimum: 2, maximum: 100 }),
  ip: string({ optional: true, format: cidrV4Format }),
  ip6: string({ optional: true, format: cidrV6Format }),
  network_type: string({
    optional: true,
    enum: ["broadcast", "non-broadcast", "point-to-multipoint", "point-to-point"],
  }),
  listen_port: integer({ optional: true, minimum: 1, maximum: 65535 }),
  public_key: string(optional),
});

/** The properties that an interface of each protocol has, in the order in which Rust prints them. */
export const interfaceKeys: Readonly<Record<Protocol, readonly string[]>> = {
  openfabric: ["name", "hello_multiplier", "ip", "ip6"],
  ospf: ["name", "ip", "network_type"],
  wireguard: ["name", "listen_port", "ip", "ip6", "public_key"],
  bgp: ["name"],
};

export const peerFormat = propertyFormat({
  type: string({ enum: ["internal", "external"] }),
  node: string(),
  node_iface: string(optional),
  iface: string(),
  endpoint: string(optional),
  skip_route_generation: boolean({ optional: true, default: 0 }),
});

const redistributeFormat = propertyFormat({
  source: string({ enum: ["bgp", "connected", "kernel", "ospf", "static"] }),
  "route-map": string({ optional: true, format: routeMapIdFormat }),
});

export const fabricProperties = {
  id: fabricId,
  protocol,
  digest,
  ...lockToken,
  ip_prefix: string({ optional: true, format: cidrFormat }),
  ip6_prefix: string({ optional: true, format: cidrFormat }),
  hello_interval: interval,
  csnp_interval: interval,
  area: string(optional),
  persistent_keepalive: number({ optional: true, minimum: 0, maximum: 65535 }),
  redistribute: array(string({ format: redistributeFormat }), optional),
  route_filter: string({ optional: true, format: prefixListIdFormat }),
};

interface ProtocolOptions {
  /** Besides the prefixes. */
  readonly own: readonly string[];
  readonly deletable: readonly string[];
  readonly sources: readonly string[];
}

/** Options that the description of the API does not declare reach Rust as well: `bfd`, `route_map_in`, `route_map_out`. */
export const fabricOptions: Readonly<Record<Protocol, ProtocolOptions>> = {
  openfabric: {
    own: ["hello_interval", "csnp_interval", "route_filter"],
    deletable: ["ip_prefix", "ip6_prefix", "hello_interval", "csnp_interval", "route_filter"],
    sources: [],
  },
  ospf: {
    own: ["area", "redistribute", "route_filter"],
    deletable: ["area", "redistribute", "route_filter"],
    sources: ["bgp", "connected", "kernel", "static"],
  },
  wireguard: { own: ["persistent_keepalive"], deletable: ["persistent_keepalive"], sources: [] },
  bgp: {
    own: ["bfd", "redistribute", "route_filter", "route_map_in", "route_map_out"],
    deletable: ["ip_prefix", "ip6_prefix", "redistribute", "route_filter", "route_map_in", "route_map_out"],
    sources: ["connected", "kernel", "ospf", "static"],
  },
};

export const nodeProperties = {
  fabric_id: fabricId,
  node_id: string({ format: nodeFormat }),
  protocol,
  digest,
  ...lockToken,
  ip: string({ optional: true, format: ipv4Format }),
  ip6: string({ optional: true, format: ipv6Format }),
  interfaces: array(string({ format: interfacePropertiesFormat }), optional),
  allowed_ips: array(string({ format: fullRangeCidrFormat }), optional),
  endpoint: string(optional),
  peers: array(string({ format: peerFormat }), optional),
  public_key: string(optional),
  role,
};

const addresses = ["interfaces", "ip", "ip6"];

export const nodeDeletions: Readonly<Record<Protocol, readonly string[]>> = {
  openfabric: addresses,
  ospf: addresses,
  bgp: addresses,
  wireguard: ["allowed_ips", "endpoint", "interfaces", "ip", "ip6", "peers"],
};
