import { die, paramError } from "../kernel/failure.ts";
import { splitList } from "../schema/format.ts";
import type { Interface, Interfaces } from "./interfaces-file.ts";

/*
 * What PVE refuses: pve-manager `PVE/API2/Network.pm` about one interface, then pve-common
 * `src/PVE/Network/Interfaces.pm` about the file as a whole when it is written.
 */

const portOptions = ["bridge_ports", "ovs_ports", "slaves", "ovs_bonds"] as const;

const portsOf = (entry: Interface) => portOptions.flatMap((option) => splitList(String(entry[option] ?? "")));

function checkDuplicate(interfaces: Interfaces, name: string, option: string, what: string): void {
  const other = Object.keys(interfaces).find((candidate) => candidate !== name && interfaces[candidate]?.[option]);
  if (other !== undefined) {
    paramError({ [option]: `${what} already exists on interface '${other}'.` });
  }
}

/** One default gateway for the host, and every port in one place only. */
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

/** `cidr` is another way to give address and netmask. */
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

/** The file has to make sense before it is written. */
export function checkFile(interfaces: Interfaces): void {
  for (const [name, entry] of Object.entries(interfaces)) {
    switch (entry["type"]) {
      case "bond":
        checkBond(interfaces, name, entry);
        break;
      case "bridge":
        checkBridge(interfaces, name, entry);
        break;
      case "vlan":
        checkVlan(interfaces, name, entry);
        break;
      default:
        if (String(entry["type"]).startsWith("OVS")) {
          die("Open VSwitch is not installed (need package 'openvswitch-switch')");
        }
    }
  }
}

function checkBond(interfaces: Interfaces, name: string, entry: Interface): void {
  const slaves = splitList(String(entry["slaves"] ?? ""));
  for (const slave of slaves) {
    const type = (interfaces[slave] ?? die(`bond '${name}' - unable to find slave '${slave}'`))["type"];
    if (type !== "eth" && type !== "bond") {
      die(`bond '${name}' - wrong interface type on slave '${slave}' ('${type}' != 'eth or bond')`);
    }
  }
  const primary = entry["bond-primary"];
  if (slaves.length > 0 && primary && !slaves.includes(String(primary))) {
    die(`bond '${name}' - bond-primary interface is not a slave`);
  }
}

function checkBridge(interfaces: Interfaces, name: string, entry: Interface): void {
  for (const port of splitList(String(entry["bridge_ports"] ?? "")).filter((candidate) => candidate !== "none")) {
    const isVlan = /\S+\.\d+$/.test(port);
    const found = interfaces[port] ?? (isVlan ? {} : die(`bridge '${name}' - unable to find bridge port '${port}'`));
    if (found["address"] || found["address6"]) {
      die(`iface ${port} - ip address can't be set on interface if bridged in ${name}`);
    }
  }
}

function checkVlan(interfaces: Interfaces, name: string, entry: Interface): void {
  const [, dotted, tag] = /^(\S+)\.(\d+)$/.exec(name) ?? [];
  const parent = dotted ?? String(entry["vlan-raw-device"] || die("missing vlan-raw-device option"));
  const id = tag ?? /^vlan(\d+)$/.exec(name)?.[1] ?? entry["vlan-id"] ?? die("missing vlan-id option");
  if (Number(id) > 4094) {
    die(`vlan '${name}' - vlan-id ${id} should be <= 4094`);
  }
  const type = String((interfaces[parent] ?? die(`vlan '${name}' - unable to find parent '${parent}'`))["type"]);
  if (!["eth", "bridge", "bond", "vlan"].includes(type)) {
    die(`vlan '${name}' - wrong interface type on parent '${parent}' ('${type}' != 'eth|bond|bridge|vlan' )`);
  }
}
