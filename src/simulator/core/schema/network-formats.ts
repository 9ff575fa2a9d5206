import { die } from "../kernel/failure.ts";
import { listOf, type NamedFormat, namedFormat } from "./format.ts";
import { matches } from "./pattern.ts";

// The address formats of pve-common `src/PVE/JSONSchema.pm`, with the expressions of `src/PVE/ParseUtils.pm`.

const octet = "(?:25[0-5]|(?:2[0-4]|1[0-9]|[1-9])?[0-9])";
const ipv4 = `(?:(?:${octet}\\.){3}${octet})`;
const h16 = "(?:[0-9a-fA-F]{1,4})";
const ls32 = `(?:${ipv4}|${h16}:${h16})`;
/** One alternative per number of groups before the `::`. */
const ipv6 = `(?:${[
  `(?:${h16}:){6}${ls32}`,
  `::(?:${h16}:){5}${ls32}`,
  ...[4, 3, 2, 1, 0].map((behind, index) => `(?:(?:${h16}:){0,${index}}${h16})?::(?:${h16}:){${behind}}${ls32}`),
  `(?:(?:${h16}:){0,5}${h16})?::${h16}`,
  `(?:(?:${h16}:){0,6}${h16})?::`,
].join("|")})`;

export const isIPv4 = (value: string) => matches(ipv4, value);
export const isIPv6 = (value: string) => matches(ipv6, value);
export const isIP = (value: string) => isIPv4(value) || isIPv6(value);

function isCidr(address: (value: string) => boolean, longest: number, value: string): boolean {
  const [, network, bits] = /^(.*)\/(\d+)\n?$/.exec(value) ?? [];
  return network !== undefined && address(network) && Number(bits) > 7 && Number(bits) <= longest;
}

export const isCidrV4 = (value: string) => isCidr(isIPv4, 32, value);
export const isCidrV6 = (value: string) => isCidr(isIPv6, 128, value);

const label = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
export const isDnsName = (value: string) => matches(`(?:${label}\\.)*${label}`, value);

function looksLike(name: string, what: string, holds: (value: string) => boolean): NamedFormat {
  return namedFormat(name, (value) => holds(value) || die(`value does not look like a valid ${what}`));
}

export const ipv4Format = looksLike("ipv4", "IPv4 address", isIPv4);
export const ipv6Format = looksLike("ipv6", "IPv6 address", isIPv6);
export const ipFormat = looksLike("ip", "IP address", isIP);
export const ipListFormat = listOf(ipFormat);
export const cidrV4Format = looksLike("CIDRv4", "IPv4 CIDR network", isCidrV4);
export const cidrV6Format = looksLike("CIDRv6", "IPv6 CIDR network", isCidrV6);
export const cidrFormat = looksLike("CIDR", "CIDR network", (value) => isCidrV4(value) || isCidrV6(value));

export const ipv4ConfigFormat = looksLike(
  "pve-ipv4-config",
  "ipv4 network configuration",
  (value) => matches("dhcp|manual", value) || isCidrV4(value),
);

export const ipv6ConfigFormat = looksLike(
  "pve-ipv6-config",
  "ipv6 network configuration",
  (value) => matches("auto|dhcp|manual", value) || isCidrV6(value),
);

const netmasks = new Set(
  Array.from({ length: 33 }, (_, bits) => {
    const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
    return [24, 16, 8, 0].map((shift) => (mask >>> shift) & 0xff).join(".");
  }),
);

export const ipv4MaskFormat = looksLike("ipv4mask", "IP netmask", (value) => netmasks.has(value));

export const dnsNameFormat = looksLike("dns-name", "DNS name", isDnsName);
export const dnsNameListFormat = listOf(dnsNameFormat);

export const addressFormat = namedFormat("address", (value) => {
  if (!isIP(value) && !isDnsName(value)) {
    die(`value does not look like a valid address: ${value}`);
  }
});
export const addressListFormat = listOf(addressFormat);

/** Only unicast: the lowest bit of the first byte must be clear. */
export const macAddressFormat = looksLike("mac-addr", "unicast MAC address", (value) =>
  matches("[a-f0-9][02468ace](?::[a-f0-9]{2}){5}", value, "i"),
);
