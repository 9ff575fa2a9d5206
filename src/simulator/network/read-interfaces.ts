import type { Interface, Interfaces } from "./interfaces-file.ts";
import { maskBits } from "./interfaces-file.ts";
import { takeOpenVSwitch } from "./open-vswitch.ts";

// pve-common `src/PVE/Network/Interfaces.pm`, __read_etc_network_interfaces.

const otherNames: Readonly<Record<string, string>> = {
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
  vxlan-physdev vxlan-local-tunnelip bond_mode`.split(/\s+/),
);

const physical = /^(?:eth\d+|en[^:.]+|ib[^:.]+|(?:nic|if)\d+)$/;

/** Parses one line of a stanza. */
function takeOption(entry: Interface, suffix: string, word: string, value: string): void {
  const name = otherNames[word] ?? word;
  if (["address", "netmask", "broadcast", "gateway"].includes(name)) {
    entry[`${name}${suffix}`] = value;
  } else if (simpleOptions.has(name)) {
    entry[name] = value;
  } else if (name === "slaves" || name === "bridge_ports") {
    const ports = [...new Set(value.split(/\s+/))].filter((port) => port !== "none").sort();
    entry[name] = [entry[name], ports.join(" ")].filter(Boolean).join(" ");
  } else if (name === "bridge_stp") {
    entry[name] = /^\s*(?:on|yes)\s*$/i.test(value) ? "on" : "off";
  } else if (name === "bridge_vlan_aware") {
    entry[name] = 1;
  } else {
    entry[`options${suffix}`] = [...((entry[`options${suffix}`] as string[] | undefined) ?? []), `${word} ${value}`];
  }
}

/** The stanzas of the file by interface. */
function readStanzas(text: string): Interfaces {
  const interfaces: Interfaces = {};
  // 1 is the priority of the loopback device.
  let priority = 2;
  let entry: Interface | undefined;
  let suffix = "";
  for (const raw of text.split("\n")) {
    const line = raw.trim();
    const [, started] = /^(?:allow-auto|auto|allow-hotplug)\s+(.*)$/.exec(line) ?? [];
    const [, name, family, method] = /^iface\s+(\S+)\s+(inet6?)\s+(\S+)$/.exec(line) ?? [];
    const [, word, value] = /^(\S+)\s+(.+)$/.exec(line) ?? [];
    if (started !== undefined) {
      entry = undefined;
      for (const device of started.split(/\s+/)) {
        interfaces[device] = { ...interfaces[device], autostart: 1 };
      }
    } else if (name !== undefined && family !== undefined) {
      suffix = family === "inet6" ? "6" : "";
      entry = interfaces[name] ?? {};
      interfaces[name] = entry;
      entry["priority"] ??= priority++;
      entry["families"] = [...((entry["families"] as string[] | undefined) ?? []), family];
      entry[`method${suffix}`] = method;
    } else if (line === "") {
      entry = undefined;
    } else if (entry !== undefined && line.startsWith("#")) {
      entry[`comments${suffix}`] = `${entry[`comments${suffix}`] ?? ""}${line.slice(1)}\n`;
    } else if (entry !== undefined && word !== undefined && value !== undefined) {
      takeOption(entry, suffix, word, value);
    }
  }
  return interfaces;
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
  if (entry["ovs_type"] !== undefined) {
    takeOpenVSwitch(entry);
  } else if (entry["bridge_ports"] !== undefined) {
    entry["type"] = "bridge";
    entry["bridge_stp"] ??= "off";
    if (entry["bridge_stp"] === "off") {
      entry["bridge_fd"] ??= 0;
    }
  } else if (/^bond\d+$/.test(name)) {
    entry["type"] = "bond";
  } else if (/^\S+:\d+$/.test(name)) {
    entry["type"] = "alias";
  } else if (/^\S+\.\d+$/.test(name) || entry["vlan-raw-device"] !== undefined) {
    takeVlan(name, entry);
  } else if (nics.includes(name) || physical.test(name)) {
    entry["type"] = "eth";
  } else {
    entry["type"] = entry["vxlan-id"] !== undefined ? "vxlan" : entry["link-type"] === "dummy" ? "dummy" : "unknown";
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
  if (mask !== undefined) {
    entry[`netmask${suffix}`] = mask;
  }
}

/** The interfaces of a file, and the node's physical ones in any case. */
export function readInterfaces(text: string, nics: readonly string[]): Interfaces {
  const { lo: _, ...interfaces } = readStanzas(text);
  for (const nic of nics) {
    interfaces[nic] = { ...interfaces[nic], exists: 1 };
  }
  for (const [name, entry] of Object.entries(interfaces)) {
    takeType(name, entry, nics);
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
  return interfaces;
}
