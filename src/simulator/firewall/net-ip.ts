import { die } from "../core/kernel/failure.ts";
import { parseIp } from "../core/schema/ip-address.ts";

/*
 * Perl's Net::IP, which decides what an address in a rule is: the texts of Net::IP::Error, and the short forms it
 * accepts (`10/8` is a network, `10.0.0.1 - 10.0.0.9` a range).
 */

function quadProblem(ip: string): string | undefined {
  if (!/^[\d.]+$/.test(ip)) {
    return `Invalid chars in IP ${ip}`;
  }
  if (ip.startsWith(".")) {
    return `Invalid IP ${ip} - starts with a dot`;
  }
  if (ip.endsWith(".")) {
    return `Invalid IP ${ip} - ends with a dot`;
  }
  const quads = ip.split(".");
  if (quads.length > 4) {
    return `Invalid IP address ${ip}`;
  }
  if (quads.includes("")) {
    return `Empty quad in IP address ${ip}`;
  }
  const bad = quads.find((quad) => Number(quad) > 255);
  return bad === undefined ? undefined : `Invalid quad in IP address ${ip} - ${bad}`;
}

function groupProblem(ip: string): string | undefined {
  const groups = ip.split(":");
  const isGroup = (group: string, index: number) =>
    group === "" || /^[a-f\d]{1,4}$/i.test(group) || (index === groups.length - 1 && quadProblem(group) === undefined);
  if (groups.length > 8 || !groups.every(isGroup)) {
    return `Invalid IP address ${ip}`;
  }
  if (/^:[^:]/.test(ip)) {
    return `Invalid address ${ip} (starts with :)`;
  }
  if (/[^:]:$/.test(ip)) {
    return `Invalid address ${ip} (ends with :)`;
  }
  if ((ip.match(/:(?=:)/g) ?? []).length > 1) {
    return `Invalid address ${ip} (More than one :: pattern)`;
  }
  return groups.length + (groups.at(-1)?.includes(".") ? 1 : 0) !== 8 && !ip.includes("::")
    ? `Invalid number of octets ${ip}`
    : undefined;
}

interface Address {
  readonly version: 4 | 6;
  readonly value: bigint;
}

/** Dies with the error of Net::IP. */
function readAddress(text: string): Address {
  const isV6 = text.includes(":");
  const problem = isV6 ? groupProblem(text) : quadProblem(text);
  if (problem !== undefined) {
    die(problem);
  }
  // Missing quads of an IPv4 address are zeros.
  const full = isV6 ? text : [...text.split("."), "0", "0", "0"].slice(0, 4).map(Number).join(".");
  return parseIp(full) ?? die(`Invalid IP address ${text}`);
}

/** `Net::IP->new`: the version of an address, a network without host bits or a range; dies with Net::IP::Error. */
export function netIpVersion(text: string): 4 | 6 {
  const [, network, bits] = /^(\S+?)\/(\S+)$/.exec(text) ?? [];
  if (network !== undefined && bits !== undefined) {
    const { version, value } = readAddress(network);
    const length = version === 4 ? 32 : 128;
    if (Number(bits) > length) {
      die(`Prefix length ${bits} is longer than IP address (${length})`);
    }
    const size = 1n << BigInt(length - Number(bits));
    if (value % size !== 0n) {
      die(`Invalid prefix ${value.toString(2).padStart(length, "0")}/${bits}`);
    }
    return version;
  }
  const [, first, last] = /^(.+?)\s*-\s*(.+)$/.exec(text) ?? [];
  if (first === undefined || last === undefined) {
    return readAddress(text).version;
  }
  const begin = readAddress(first);
  if (begin.value > readAddress(last).value) {
    die(`Begin address is greater than End address ${first} - ${last}`);
  }
  return begin.version;
}
