import { die } from "../kernel/failure.ts";
import { namedFormat } from "../schema/format.ts";
import { isIPv4, isIPv6 } from "../schema/network-formats.ts";
import { conntrackHelpers, icmpTypes, icmpV6Types, isProtocol, services } from "./names.ts";

// Formats registered by pve-firewall `src/PVE/Firewall.pm`.

const alias = "[A-Za-z][A-Za-z0-9\\-_]+";
const scopedAlias = new RegExp(`^(?:dc/|guest/)?${alias}$`);
const maxNameLength = 64;

export const isAlias = (text: string) => scopedAlias.test(text);

function splitStrictly(text: string): string[] {
  const elements = text === "" ? [] : text.replace(/,+$/, "").split(",");
  return text === elements.join(",") ? elements : die("extraneous commas in list");
}

/** 4 or 6, if it is an address or a network with a prefix that fits. */
function addressVersion(text: string): 4 | 6 | undefined {
  const [address = "", prefix] = text.split("/");
  const version = isIPv4(address) ? 4 : isIPv6(address) ? 6 : undefined;
  const isPrefix = prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
  return isPrefix ? version : undefined;
}

export const ipOrCidrFormat = namedFormat("IPorCIDR", (value) => {
  if (addressVersion(value) === undefined) {
    die("value does not look like a valid IP address or CIDR network");
  }
});

export const ipOrCidrOrAliasFormat = namedFormat("IPorCIDRorAlias", (value) => {
  if (!isAlias(value)) {
    ipOrCidrFormat.verify(value);
  }
});

/** `parse_address_list`: the IP version of the addresses; undefined for a reference to a set or an alias. */
export function addressListVersion(text: string): 4 | 6 | undefined {
  if (/^\+\S+$/.test(text)) {
    return text.length > maxNameLength + 1 ? die("ipset name too long") : undefined;
  }
  if (isAlias(text)) {
    return text.length > maxNameLength ? die("alias name too long") : undefined;
  }
  const elements = splitStrictly(text);
  const versions = elements.map((element) => {
    const ends = element.split("-");
    const version = addressVersion(ends[0] ?? "");
    return version === undefined || ends.length > 2 || (ends[1] !== undefined && addressVersion(ends[1]) !== version)
      ? die(`invalid IP address: Invalid IP address ${element}`)
      : version;
  });
  if (new Set(versions).size > 1) {
    die(`detected mixed ipv4/ipv6 addresses in address list '${text}'`);
  }
  if (elements.length > 1 && text.includes("-")) {
    die("you can't use a range in a list");
  }
  return versions[0];
}

export const addressSpecFormat = namedFormat("pve-fw-addr-spec", (value) => {
  addressListVersion(value);
});

function checkPort(port: string): void {
  if (Number(port) > 65535) {
    die(`invalid port '${port}'`);
  }
}

/** `parse_port_name_number_or_range`; ICMP types may stand where a destination port does. */
export function checkPorts(text: string, allowIcmp: boolean): void {
  let count = 0;
  let hasIcmp = false;
  for (const item of splitStrictly(text)) {
    const [, first, last] = /^(\d+)(?::(\d+))?$/.exec(item) ?? [];
    if (first !== undefined) {
      checkPort(first);
      checkPort(last ?? first);
      if (last !== undefined && Number(first) > Number(last)) {
        die(`backwards range '${first}:${last}' not allowed, did you mean '${last}:${first}'?`);
      }
      count += last === undefined ? 1 : 2;
    } else if (allowIcmp && (icmpTypes.has(item) || icmpV6Types.has(item))) {
      hasIcmp = true;
    } else if (!services.has(item)) {
      die(`invalid port '${item}'`);
    }
  }
  if (hasIcmp && count > 0) {
    die("ICMP ports not allowed in port range");
  }
  if (count > 15) {
    die("too many entries in port list (> 15 numbers)");
  }
}

export const sourcePortFormat = namedFormat("pve-fw-sport-spec", (value) => checkPorts(value, false));
export const destinationPortFormat = namedFormat("pve-fw-dport-spec", (value) => checkPorts(value, true));

export const protocolFormat = namedFormat("pve-fw-protocol-spec", (value) => {
  if (value !== "" && !isProtocol(value)) {
    die(`unknown protocol '${value}'`);
  }
});

export const icmpTypeFormat = namedFormat("pve-fw-icmp-type-spec", (value) => {
  if (value !== "" && !icmpTypes.has(value) && !icmpV6Types.has(value)) {
    die(`invalid icmp-type value '${value}'`);
  }
});

export const conntrackHelperFormat = namedFormat("pve-fw-conntrack-helper", (value) => {
  const unknown = splitStrictly(value).find((helper) => helper !== "" && !conntrackHelpers.includes(helper));
  if (unknown !== undefined) {
    die(`unknown helper ${unknown} at /usr/share/perl5/PVE/Firewall.pm line 1167.`);
  }
});

/** `clean_cidr` and `parse_ip_or_cidr`: the network without host bits, a single address without its prefix. */
export function normalizeCidr(text: string): string {
  const [address = "", prefix] = text.split("/");
  if (prefix === undefined || prefix === "0") {
    return text;
  }
  if (!isIPv4(address)) {
    return prefix === "128" ? address : text;
  }
  const mask = 2 ** 32 - 2 ** (32 - Number(prefix));
  const number = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  const network = Number(BigInt(number) & BigInt(mask));
  const clean = [24, 16, 8, 0].map((shift) => Math.floor(network / 2 ** shift) % 256).join(".");
  return prefix === "32" ? clean : `${clean}/${prefix}`;
}

/** The version of a single address or network. */
export const cidrVersion = (text: string) => (text.includes(":") ? 6 : 4);
