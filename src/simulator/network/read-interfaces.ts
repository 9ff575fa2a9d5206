import type { ForeignLine, Interface, Interfaces, InterfacesFile } from "./interfaces-file.ts";
import { maskBits } from "./interfaces-file.ts";
import { takeOpenVSwitch } from "./open-vswitch.ts";

// pve-common `src/PVE/Network/Interfaces.pm`, __read_etc_network_interfaces.

const otherNames: Readonly<Record<string, string>> = {
  ovs_mtu: "mtu",
  bond_slaves: "slaves",
  "bond-slaves": "slaves",
  "bond-xmit-hash-policy": "bond_xmit_hash_policy",
  "bond-mode": "bond_mode",
  "bond-miimon": "bond_miimon",
  "bridge-vlan-aware": "bridge_vlan_aware",
  "bridge-fd": "bridge_fd",
  "bridge-stp": "bridge_stp",
  "bridge-ports": "bridge_ports",
  "bridge-vids": "bridge_vids",
};

const simpleOptions = new Set(
  `mtu ovs_type ovs_options ovs_bridge ovs_bonds ovs_ports bridge_fd bridge_vids bridge-access bridge-learning
  bridge-arp-nd-suppress bridge-unicast-flood bridge-multicast-flood bridge-disable-mac-learning bond_miimon
  bond_xmit_hash_policy bond-primary link-type uplink-id vlan-protocol vlan-raw-device vlan-id vxlan-id vxlan-svcnodeip
  vxlan-physdev vxlan-local-tunnelip`.split(/\s+/),
);

const physical = /^(?:eth\d+|en[^:.]+|ib[^:.]+|(?:nic|if)\d+)$/;

/** The numbers that the file may have instead of names. */
const bondModes = [
  ...["balance-rr", "active-backup", "balance-xor", "broadcast", "802.3ad", "balance-tlb", "balance-alb"],
];

/** A stanza without a family takes addresses of both. */
function addressOption(name: string, suffix: string | undefined, value: string): string {
  return suffix === undefined ? `${name}${name !== "netmask" && value.includes(":") ? "6" : ""}` : `${name}${suffix}`;
}

/** Parses one line of a stanza. */
function takeOption(entry: Interface, suffix: string | undefined, word: string, value: string): void {
  const name = otherNames[word] ?? word;
  if (["address", "netmask", "broadcast", "gateway"].includes(name)) {
    entry[addressOption(name, suffix, value)] = value;
  } else if (simpleOptions.has(name)) {
    entry[name] = value;
  } else if (name === "slaves" || name === "bridge_ports") {
    const ports = [...new Set(value.split(/\s+/))].filter((port) => port !== "none").sort();
    entry[name] = [entry[name], ports.join(" ")].filter(Boolean).join(" ");
  } else if (name === "bridge_stp") {
    entry[name] = /^\s*(?:on|yes)\s*$/i.test(value) ? "on" : "off";
  } else if (name === "bridge_vlan_aware") {
    entry[name] = 1;
  } else if (name === "bond_mode") {
    entry[name] = bondModes[Number(value)] ?? value;
  } else if (name === "vxlan-remoteip") {
    entry[name] = [...((entry[name] as string[] | undefined) ?? []), value];
  } else {
    const options = `options${suffix ?? ""}`;
    entry[options] = [...((entry[options] as string[] | undefined) ?? []), `${word} ${value}`];
  }
}

/** Reads the file line by line: a stanza ends at an empty line or at the next word of the first level. */
class Reader {
  readonly interfaces: Interfaces = {};
  readonly lines: ForeignLine[] = [];
  // 1 is the priority of the loopback device.
  #priority = 2;
  #entry: Interface | undefined;
  #suffix: string | undefined;

  read(line: string): void {
    if (this.#entry === undefined || !this.#takeIntoStanza(this.#entry, line)) {
      this.#entry = undefined;
      this.#readOutside(line);
    }
  }

  /** Whether the line belongs to the stanza. */
  #takeIntoStanza(entry: Interface, line: string): boolean {
    const [, comment] = /^\s*#(.*)$/.exec(line) ?? [];
    if (comment !== undefined) {
      const name = `comments${this.#suffix ?? ""}`;
      entry[name] = `${entry[name] ?? ""}${comment}\n`;
      return true;
    }
    const [, word, value] = /^\s*(\S+)\s+(.+)$/.exec(line) ?? [];
    const isOutside = /^\s*(?:(?:iface|mapping|auto|source|source-directory)\s|allow-)/.test(line);
    if (isOutside || word === undefined || value === undefined) {
      return false;
    }
    takeOption(entry, this.#suffix, word, value);
    return true;
  }

  #readOutside(line: string): void {
    const [, started] = /^\s*(?:allow-auto|auto|allow-ovs|allow-hotplug)\s+(.*)$/.exec(line) ?? [];
    const [, name, family, method] = /^\s*iface\s+(\S+)(?:\s+(inet6?)\s+(\S+))?\s*$/.exec(line) ?? [];
    if (started !== undefined) {
      for (const device of started.split(/\s+/)) {
        this.interfaces[device] = { ...this.interfaces[device], autostart: 1 };
      }
    } else if (name !== undefined) {
      const entry = this.interfaces[name] ?? {};
      this.interfaces[name] = entry;
      this.#entry = entry;
      this.#suffix = family?.slice("inet".length);
      entry["priority"] ??= this.#priority++;
      entry["families"] = [...((entry["families"] as unknown[] | undefined) ?? []), family ?? null];
      if (family !== undefined) {
        entry[`method${this.#suffix}`] = method;
      }
    } else if (/^(?!\s*#).*\w/.test(line)) {
      this.lines.push({ priority: this.#priority++, line });
    }
  }
}

function takeVlan(name: string, entry: Interface): void {
  const [, parent, tag] = /^(\S+)\.(\d+)$/.exec(name) ?? [];
  const id = tag ?? /^vlan(\d+)$/.exec(name)?.[1];
  entry["type"] = "vlan";
  entry["vlan-raw-device"] ??= parent;
  if (id !== undefined && Number(id) > 0) {
    entry["vlan-id"] = id;
  }
}

/** The type of an interface follows from its options and its name. */
function takeType(name: string, entry: Interface, nics: readonly string[]): void {
  const ovs = entry["ovs_type"];
  const isPhysical = nics.includes(name) || physical.test(name);
  entry["type"] = "unknown";
  if (entry["bridge_ports"] !== undefined) {
    entry["type"] = "bridge";
    entry["bridge_stp"] ??= "off";
    if (entry["bridge_stp"] === "off") {
      entry["bridge_fd"] ??= 0;
    }
  } else if (ovs === "OVSBridge") {
    takeOpenVSwitch(entry);
  } else if (/^bond\d+$/.test(name)) {
    takeEither(entry, "bond", "OVSBond");
  } else if (/^\S+:\d+$/.test(name)) {
    entry["type"] = "alias";
  } else if (/^\S+\.\d+$/.test(name) || entry["vlan-raw-device"] !== undefined) {
    takeVlan(name, entry);
  } else if (isPhysical) {
    takeEither(entry, "eth", "OVSPort");
  } else if (name === "lo") {
    entry["type"] = "loopback";
  } else if (entry["vxlan-id"] !== undefined) {
    entry["type"] = "vxlan";
  } else if (ovs !== undefined) {
    takeEither(entry, "unknown", "OVSIntPort");
  } else if (entry["link-type"] === "dummy") {
    entry["type"] = "dummy";
  }
}

/** The Linux type, or the one of Open vSwitch where the name fits it. */
function takeEither(entry: Interface, linux: string, ovs: string): void {
  if (entry["ovs_type"] === undefined) {
    entry["type"] = linux;
  } else if (entry["ovs_type"] === ovs) {
    takeOpenVSwitch(entry);
  }
}

/** Address, prefix length and CIDR notation, as far as the file has them. */
function takeCidr(entry: Interface, suffix: "" | "6"): void {
  const address = entry[`address${suffix}`];
  if (address === undefined) {
    return;
  }
  const [, plain, bits] = /^(.+)\/(\d+)$/.exec(String(address)) ?? [];
  const mask = bits ?? maskBits(entry[`netmask${suffix}`]);
  entry[`address${suffix}`] = plain ?? address;
  entry[`cidr${suffix}`] = `${plain ?? address}/${mask ?? (suffix === "6" ? 128 : 32)}`;
  if (mask !== undefined && (bits !== undefined || suffix === "")) {
    entry[`netmask${suffix}`] = mask;
  }
}

/** An alias or a VLAN is there if its parent is; a parent that is in no file appears by name only. */
function takeExistence(interfaces: Interfaces, name: string, entry: Interface): void {
  const parent =
    entry["type"] === "vlan" ? entry["vlan-raw-device"] : entry["type"] === "alias" ? name.replace(/:\d+$/, "") : null;
  if (typeof parent !== "string") {
    return;
  }
  interfaces[parent] ??= { exists: 0 };
  entry["exists"] = interfaces[parent]["exists"] ?? null;
}

/** The bridge lines that PVE writes for ports of an Open vSwitch are not kept as lines of others. */
function withoutPortLines(lines: readonly ForeignLine[], interfaces: Interfaces): ForeignLine[] {
  return lines.flatMap(({ priority, line }) => {
    const [, bridge = "", ports] = /^allow-(\S+)\s+(.*)$/.exec(line) ?? [];
    if (ports === undefined) {
      return [{ priority, line }];
    }
    const own = String(interfaces[bridge]?.["ovs_ports"] ?? "").split(/\s+/);
    const rest = ports.split(/\s+/).filter((port) => !own.includes(port));
    return rest.length === 0 ? [] : [{ priority, line: `allow-${bridge} ${rest.join(" ")}` }];
  });
}

/** The interfaces of a file, and the node's physical ones in any case. */
export function readFile(text: string, nics: readonly string[]): InterfacesFile {
  const reader = new Reader();
  for (const line of text.split("\n")) {
    reader.read(line.trimEnd());
  }
  const { interfaces, lines } = reader;
  for (const nic of nics) {
    interfaces[nic] = { ...interfaces[nic], exists: 1 };
  }
  interfaces["lo"] ??= { priority: 1, method: "loopback", autostart: 1 };
  for (const [name, entry] of Object.entries(interfaces).toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    takeType(name, entry, nics);
    takeExistence(interfaces, name, entry);
    takeCidr(entry, "");
    takeCidr(entry, "6");
    entry["method"] ??= "manual";
    entry["method6"] ??= "manual";
    entry["families"] ??= ["inet"];
    if (entry["comments6"] !== undefined) {
      entry["comments"] = `${entry["comments"] ?? ""}${entry["comments6"]}`;
      delete entry["comments6"];
    }
  }
  return { interfaces, lines: withoutPortLines(lines, interfaces) };
}
