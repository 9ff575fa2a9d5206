import { isIP } from "node:net";
import { rangeOf } from "./addresses.ts";

/** The IP version of an address, a network or a range; null if it is none. */
export function versionOf(text: string): 4 | 6 | null {
  const [first = "", last, ...more] = text.split("-");
  if (last !== undefined) {
    const version = isIP(first);
    return version !== 0 && version === isIP(last) && more.length === 0 ? (version as 4 | 6) : null;
  }
  const [address = "", prefix, ...rest] = first.split("/");
  const version = isIP(address);
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
  return version !== 0 && isPrefix && rest.length === 0 ? (version as 4 | 6) : null;
}

export const faultOfNetwork = (text: string): string | undefined =>
  versionOf(text) !== null && !text.includes("-")
    ? undefined
    : 'Must be an IP address or a network, such as "10.0.0.1" or "10.0.0.0/24".';

const name = "[A-Za-z][A-Za-z0-9_-]+";
const aliasPattern = new RegExp(`^(?:(dc|guest)/)?(${name})$`);
const setPattern = new RegExp(`^\\+(?:(dc|guest|sdn)/)?(${name})$`);

/** The name of an alias or a set in an address, with the scope it is looked for in. */
export interface NamedAddress {
  readonly kind: "alias" | "ipset";
  readonly scope: "dc" | "guest" | "sdn" | null;
  readonly name: string;
}

export function namedAddress(text: string): NamedAddress | null {
  const set = setPattern.exec(text);
  const [, scope = null, found] = set ?? aliasPattern.exec(text) ?? [];
  if (found === undefined) return null;
  return { kind: set ? "ipset" : "alias", scope: scope as NamedAddress["scope"], name: found };
}

/** `source` and `dest` of a rule. */
export function faultOfAddresses(text: string): string | undefined {
  if (namedAddress(text) !== null) return undefined;
  const parts = text.split(",");
  const versions = new Set(parts.map(versionOf));
  if (versions.has(null)) {
    return 'Must be an address, a network, a range such as "10.0.0.1-10.0.0.9", a list of addresses and networks with commas and without blanks, an alias ("dc/office", "guest/db") or an IP set ("+dc/admins").';
  }
  if (versions.size > 1) return "Must be all IPv4 or all IPv6: write two rules.";
  if (parts.length > 1 && text.includes("-")) return "A range cannot be part of a list: write a rule for each.";
  return text.includes("-") ? faultOfRange(text) : undefined;
}

function faultOfRange(text: string): string | undefined {
  const [from = 0n, to = 0n] = rangeOf(text) ?? [];
  return from > to ? `The range is reversed: write "${text.split("-").reverse().join("-")}".` : undefined;
}

/** `dport` and `sport` of a rule: numbers, ranges and names of services. */
export function faultOfPorts(text: string): string | undefined {
  let numbers = 0;
  for (const part of text.split(",")) {
    const [, first, last] = /^(\d+)(?::(\d+))?$/.exec(part) ?? [];
    if (first === undefined) {
      if (!/^[a-z0-9]*[a-z][a-z0-9-]*$/i.test(part)) {
        return `\`${part}\` is no port: write a number, a range with a colon such as "8000:8010", or the name of a service, with commas between and without blanks.`;
      }
      continue;
    }
    if (Math.max(Number(first), Number(last ?? 0)) > 65_535) return "Ports go up to 65535.";
    if (last !== undefined && Number(first) > Number(last)) return `The range is reversed: write "${last}:${first}".`;
    numbers += last === undefined ? 1 : 2;
  }
  return numbers > 15 ? "At most 15 ports, where a range counts as two: write another rule for the others." : undefined;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names that pve-firewall and the host's /etc/protocols know. */
const protocols = words(`
  ip hopopt icmp igmp ggp ipencap st tcp egp igp pup udp hmp xns-idp rdp iso-tp4 dccp xtp ddp idpr-cmtp ipv6 ipv6-route
  ipv6-frag idrp rsvp gre esp ah skip ipv6-icmp icmpv6 ipv6-nonxt ipv6-opts rspf vmtp eigrp ospf ax.25 ipip etherip encap
  pim ipcomp vrrp l2tp isis sctp fc mobility-header udplite mpls-in-ip manet hip shim6 wesp rohc ethernet mptcp`);

export const faultOfProtocol = (text: string): string | undefined =>
  protocols.has(text) || /^\d{1,3}$/.test(text)
    ? undefined
    : 'Must be the name of a protocol in lower case, such as "tcp", "udp" or "icmp", or its number.';

export const hasPorts = (protocol: string): boolean =>
  ["udp", "17", "udplite", "136", "tcp", "6", "dccp", "33", "sctp", "132"].includes(protocol);

export const isIcmp = (protocol: string): boolean => ["icmp", "icmpv6", "ipv6-icmp"].includes(protocol);
