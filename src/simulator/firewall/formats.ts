import { die, failureText } from "../core/kernel/failure.ts";
import { namedFormat } from "../core/schema/format.ts";
import { formatNetwork, parseNetwork } from "../core/schema/ip-address.ts";
import { isIPv4, isIPv6 } from "../core/schema/network-formats.ts";
import { conntrackHelpers, icmpTypes, icmpV6Types, isProtocol, services } from "./names.ts";
import { netIpVersion } from "./net-ip.ts";

// Formats registered by pve-firewall `src/PVE/Firewall.pm`.

const alias = "[A-Za-z][A-Za-z0-9\\-_]+";
const scopedAlias = new RegExp(`^(?:dc/|guest/)?${alias}$`);
const maxNameLength = 64;

export const isAlias = (text: string) => scopedAlias.test(text);

function splitStrictly(text: string): string[] {
  const elements = text === "" ? [] : text.replace(/,+$/, "").split(",");
  return text === elements.join(",") ? elements : die("extraneous commas in list");
}

export const ipOrCidrFormat = namedFormat("IPorCIDR", (value) => {
  const [address = "", prefix] = value.split("/");
  if ((!isIPv4(address) && !isIPv6(address)) || !/^(?:[^/]+|[^/]+\/\d+)$/.test(value)) {
    die("value does not look like a valid IP address or CIDR network");
  }
  netIpVersion(prefix === undefined ? value : cleanCidr(value));
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
    try {
      return netIpVersion(element);
    } catch (thrown) {
      return die(`invalid IP address: ${failureText(thrown)}`);
    }
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

/** `parse_port_name_number_or_range`; ICMP types are allowed in place of a destination port. */
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

/** `clean_cidr`: the network without host bits; an address without a prefix is kept as written. */
export function cleanCidr(text: string): string {
  const prefix = text.split("/")[1];
  const network = prefix === undefined || prefix === "0" ? undefined : parseNetwork(text);
  return network === undefined ? text : formatNetwork(network);
}

/** `parse_ip_or_cidr`: a single address has no prefix. */
export function shortCidr(text: string): string {
  return text.includes(":") ? text.replace(/\/128$/, "") : text.replace(/\/32$/, "");
}

/** The version of a single address or network. */
export const cidrVersion = (text: string) => (text.includes(":") ? 6 : 4);
