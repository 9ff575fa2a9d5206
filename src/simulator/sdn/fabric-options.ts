import { interfaceFormat, nodeFormat } from "../core/schema/formats.ts";
import { cidrFormat, cidrV4Format, cidrV6Format, ipv4Format, ipv6Format } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { array, integer, number, string } from "../core/schema/schema.ts";
import { digest } from "../core/schema/standard-options.ts";
import { fabricId } from "./formats.ts";
import { lockToken } from "./sections.ts";

// pve-network `src/PVE/Network/SDN/Fabrics.pm`.

const optional = { optional: true } as const;
const interval = number({ optional: true, minimum: 1, maximum: 600 });

export const protocol = string({ enum: ["openfabric", "ospf"] });

/** For an interface of OpenFabric; one of OSPF has only a name and an IPv4 address. */
export const interfacePropertiesFormat = propertyFormat({
  name: string({ format: interfaceFormat }),
  hello_multiplier: integer({ optional: true, minimum: 2, maximum: 100 }),
  ip: string({ optional: true, format: cidrV4Format }),
  ip6: string({ optional: true, format: cidrV6Format }),
});
export const interfaceKeys = ["name", "hello_multiplier", "ip", "ip6"] as const;

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
};
