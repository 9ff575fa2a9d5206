import { die } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { isCidrV4, isCidrV6 } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { string } from "../core/schema/schema.ts";

// Names and formats that pve-network registers.

const shortName = { pattern: "[a-zA-Z][a-zA-Z0-9]*[a-zA-Z0-9]", minLength: 2 } as const;

export const zoneId = string({ ...shortName, maxLength: 8 });
export const vnetId = string({ ...shortName, maxLength: 8 });
export const ipamId = string(shortName);
export const dnsId = string(shortName);
export const controllerId = string({ pattern: "[a-zA-Z][a-zA-Z0-9_-]*[a-zA-Z0-9]", minLength: 2, maxLength: 64 });

/** `src/PVE/Network/SDN/Fabrics.pm`. */
export const fabricIdFormat = namedFormat("pve-sdn-fabric-id", (value) => {
  if (!/^[a-zA-Z0-9][a-zA-Z0-9-]{0,6}[a-zA-Z0-9]?\n?$/.test(value)) {
    die(`Fabric ID '${value}' contains illegal characters`);
  }
});
export const fabricId = string({
  format: fabricIdFormat,
  pattern: "[a-zA-Z0-9][a-zA-Z0-9-]{0,6}[a-zA-Z0-9]",
  minLength: 2,
  maxLength: 8,
});

/** `src/PVE/Network/SDN/SubnetPlugin.pm`: a CIDR when a subnet is created, `<zone>-<network>-<prefix>` afterwards. */
export const subnetIdFormat = namedFormat("pve-sdn-subnet-id", (value) => {
  const [, address = "", prefix = ""] = value.split("-");
  const cidr = value.includes("/") ? value : `${address}/${prefix}`;
  if (!isCidrV4(cidr) && !isCidrV6(cidr)) {
    die("value does not look like a valid CIDR network");
  }
});

/** The type of both members is `ip`, which PVE's schema check does not know and therefore does not check. */
export const dhcpRangeFormat = propertyFormat(
  { "start-address": string(), "end-address": string() },
  { name: "pve-sdn-dhcp-range" },
);

export const isisNetFormat = namedFormat("pve-sdn-isis-net", (value) => {
  if (!/^[a-fA-F0-9]{2}(?:\.[a-fA-F0-9]{4}){3,9}\.[a-fA-F0-9]{2}\n?$/.test(value)) {
    die("value does not look like a valid isis net");
  }
});
