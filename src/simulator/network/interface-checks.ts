import { die, paramError } from "../core/kernel/failure.ts";
import { parseIp } from "../core/schema/ip-address.ts";
import type { Node } from "../core/world/node.ts";
import { type Interface, type Interfaces, portsOf, wordsOf } from "./interfaces-file.ts";
import { checkOpenVSwitch } from "./open-vswitch.ts";

/*
 * Refusals: pve-manager `PVE/API2/Network.pm` for one interface, then pve-common `src/PVE/Network/Interfaces.pm` for
 * the file as a whole when it is written.
 */

const portOptions = ["bridge_ports", "ovs_ports", "slaves", "ovs_bonds"] as const;
const file = "/usr/share/perl5/PVE/Network/Interfaces.pm";

function checkDuplicate(interfaces: Interfaces, name: string, option: string, what: string): void {
  const other = Object.keys(interfaces).find((candidate) => candidate !== name && interfaces[candidate]?.[option]);
  if (other !== undefined) {
    paramError({ [option]: `${what} already exists on interface '${other}'.` });
  }
}

/** A host has one default gateway, and a port belongs to one interface only. */
export function checkConflicts(interfaces: Interfaces, name: string, given: Interface): void {
  if (given["gateway"]) {
    checkDuplicate(interfaces, name, "gateway", "Default gateway");
  }
  if (given["gateway6"]) {
    checkDuplicate(interfaces, name, "gateway6", "Default ipv6 gateway");
  }
  const option = portOptions.find((candidate) => given[candidate]);
  for (const [other, entry] of Object.entries(interfaces)) {
    const shared = other === name ? undefined : portsOf(entry).find((port) => portsOf(given).includes(port));
    if (shared !== undefined && option !== undefined) {
      paramError({ [option]: `${shared} is already used on interface '${other}'.` });
    }
  }
}

/** `cidr` is another form of address and netmask. */
export function splitCidr(given: Interface): Interface {
  const { cidr, cidr6, ...rest } = given;
  for (const [value, suffix] of [
    [cidr, ""],
    [cidr6, "6"],
  ] as const) {
    if (!value) {
      continue;
    }
    for (const option of ["address", "netmask"]) {
      if (rest[`${option}${suffix}`]) {
        paramError({ [`${option}${suffix}`]: `${option}${suffix} conflicts with cidr${suffix}` });
      }
    }
    const [address, mask] = String(value).split("/");
    rest[`address${suffix}`] = address;
    rest[`netmask${suffix}`] = mask;
  }
  return rest;
}

/** Net::IP's `ip_iptypev6`: ranges by prefix; the longest match counts. */
const rangesV6: readonly [bits: string, type: string][] = [
  [`${"0".repeat(127)}1`, "LOOPBACK"],
  ["0".repeat(128), "UNSPECIFIED"],
  [`${"0".repeat(80)}${"1".repeat(16)}`, "IPV4MAP"],
  ["0".repeat(96), "IPV4COMP"],
  ["00100000000000010000110110111000", "DOCUMENTATION"],
  ["1111111010", "LINK-LOCAL-UNICAST"],
  ["11111111", "MULTICAST"],
  ["1111110", "UNIQUE-LOCAL-UNICAST"],
  ["001", "GLOBAL-UNICAST"],
  ["", "RESERVED"],
];

/** `check_ipv6_settings`: an address that a host can have. */
export function checkIPv6({ address6, netmask6 }: Interface): void {
  if (!address6) {
    return;
  }
  const bits = (parseIp(String(address6))?.value ?? 0n).toString(2).padStart(128, "0");
  const mask = `${"1".repeat(Number(netmask6))}${"0".repeat(128 - Number(netmask6))}`;
  const type = bits === mask ? "ANYCAST" : rangesV6.find(([prefix]) => bits.startsWith(prefix))?.[1];
  if (!/^(?:(?:GLOBAL|(?:UNIQUE|LINK)-LOCAL)-UNICAST)$/.test(type ?? "")) {
    paramError({ address: `${address6} with type '${type}', cannot be used as host IPv6 address.` });
  }
}

/** The checks of the whole file before it is written. */
export function checkFile(interfaces: Interfaces, host: Pick<Node, "hasNoIfupdown2">): void {
  const usedPorts: Record<string, string> = {};
  for (const [name, entry] of Object.entries(interfaces)) {
    for (const port of portsOf(entry)) {
      if (usedPorts[port] !== undefined && usedPorts[port] !== name) {
        die(`port '${port}' is already used on interface '${usedPorts[port]}'`);
      }
      usedPorts[port] = name;
    }
  }
  const ofType = (type: string) => Object.entries(interfaces).filter(([, entry]) => entry["type"] === type);
  checkOpenVSwitch(interfaces, {
    usedPorts,
    checkMtu: (parent, child) => checkMtu(interfaces, parent, child),
  });
  for (const [name, entry] of ofType("bond")) {
    checkBond(interfaces, name, entry);
  }
  for (const [name, entry] of ofType("vlan")) {
    if (host.hasNoIfupdown2 && entry["vlan-raw-device"] && !/^\S+\.\d+$|^vlan\d+$/.test(name)) {
      die(`custom vlan interface name need ifupdown2 at ${file} line 961.`);
    }
    checkVlan(interfaces, name, entry);
  }
  for (const [name, entry] of ofType("bridge")) {
    checkBridge(interfaces, name, entry);
  }
}

/** `check_mtu`: a parent's MTU must not be smaller than that of the interfaces on top of it. */
function checkMtu(interfaces: Interfaces, parent: string, child: string): void {
  const size = Number(interfaces[child]?.["mtu"] ?? 0);
  if (size === 0) {
    return;
  }
  const { type, mtu } = interfaces[parent] ?? {};
  const available = Number(mtu ?? (type === "bond" ? size : 1500));
  if (available < size) {
    die(`interface '${parent}' - mtu ${available} is lower than '${child}' - mtu ${size}`);
  }
}

/** Slaves are started with their bond. */
function checkBond(interfaces: Interfaces, name: string, entry: Interface): void {
  const slaves = wordsOf(entry["slaves"]);
  for (const slave of slaves) {
    const type = String(interfaces[slave]?.["type"] ?? "");
    if (type !== "eth" && type !== "bond") {
      die(`bond '${name}' - wrong interface type on slave '${slave}' ('${type}' != 'eth or bond')`);
    }
    Object.assign(interfaces[slave] as Interface, { autostart: 1 });
    checkMtu(interfaces, name, slave);
  }
  const primary = entry["bond-primary"];
  if (slaves.length > 0 && primary && !slaves.includes(String(primary))) {
    die(`bond '${name}' - bond-primary interface is not a slave at ${file} line 909.`);
  }
}

function checkBridge(interfaces: Interfaces, name: string, entry: Interface): void {
  for (const port of wordsOf(entry["bridge_ports"])) {
    const found =
      interfaces[port] ??
      undeclaredVlan(interfaces, port) ??
      die(`bridge '${name}' - unable to find bridge port '${port}'`);
    const hasAddress =
      (found["method"] === "static" && found["address"] !== "0.0.0.0") ||
      (found["method6"] === "static" && found["address6"] !== "::");
    if (hasAddress) {
      die(`iface ${port} - ip address can't be set on interface if bridged in ${name}`);
    }
    checkMtu({ ...interfaces, [port]: found }, port, name);
  }
}

/** A VLAN of an interface can be a port without a stanza of its own. */
function undeclaredVlan(interfaces: Interfaces, port: string): Interface | undefined {
  const [, parent] = /^(\S+)\.\d+$/.exec(port) ?? [];
  return parent === undefined ? undefined : { type: "vlan", mtu: interfaces[parent]?.["mtu"] };
}

function checkVlan(interfaces: Interfaces, name: string, entry: Interface): void {
  const [, dotted, tag] = /^(\S+)\.(\d+)$/.exec(name) ?? [];
  const parent =
    dotted ?? String(entry["vlan-raw-device"] || die(`missing vlan-raw-device option at ${file} line 954.`));
  const named = tag ?? /^vlan(\d+)$/.exec(name)?.[1];
  const id = named ?? entry["vlan-id"] ?? die(`missing vlan-id option at ${file} line 962.`);
  if (Number(id) > 4094) {
    die(`vlan '${name}' - vlan-id ${id} should be <= 4094`);
  }
  const type = String((interfaces[parent] ?? die(`vlan '${name}' - unable to find parent '${parent}'`))["type"]);
  if (!["eth", "bridge", "bond", "vlan"].includes(type)) {
    die(`vlan '${name}' - wrong interface type on parent '${parent}' ('${type}' != 'eth|bond|bridge|vlan' )`);
  }
  checkMtu(interfaces, parent, name);
}
