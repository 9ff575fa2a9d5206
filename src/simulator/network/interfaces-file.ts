import { die } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";
import type { Node } from "../core/world/node.ts";
import { openVSwitchLines, openVSwitchOptions, withOpenVSwitchOptions } from "./open-vswitch.ts";

// /etc/network/interfaces as PVE writes and reads it: pve-common `src/PVE/Network/Interfaces.pm`.

export type Interface = Record<string, unknown>;
export type Interfaces = Record<string, Interface>;

/** The interfaces of a file, and its lines that belong to none of them (`source`, mappings). */
export interface InterfacesFile {
  readonly interfaces: Interfaces;
  readonly lines: readonly ForeignLine[];
}

/** It stays before the first interface with a higher priority. */
export interface ForeignLine {
  readonly priority: number;
  readonly line: string;
}

const isGiven = (value: unknown) =>
  value !== undefined && value !== null && value !== "" && value !== 0 && value !== "0";

const lines = (value: unknown) => {
  const text = isGiven(value) ? String(value).replace(/\n+$/, "") : "";
  return text === "" ? [] : text.split("\n");
};

/** The prefix length of a netmask in either form. */
export function maskBits(mask: unknown): string | undefined {
  const text = String(mask ?? "");
  if (/^\d+$/.test(text)) {
    return text;
  }
  const bits = text.split(".").map((part) => Number(part).toString(2).padStart(8, "0"));
  return text.includes(".") ? String(bits.join("").replace(/0+$/, "").length) : undefined;
}

function addressLines(entry: Interface, suffix: "" | "6"): string[] {
  const { [`address${suffix}`]: address, [`netmask${suffix}`]: mask, [`gateway${suffix}`]: gateway } = entry;
  const bits = /\/\d+$/.test(String(address)) || !isGiven(mask) ? undefined : maskBits(mask);
  return [
    ...(isGiven(address) ? [`address ${address}${bits === undefined ? "" : `/${bits}`}`] : []),
    ...(isGiven(gateway) ? [`gateway ${gateway}`] : []),
  ];
}

/** Members that are not lines of the file. */
const unprinted = new Set([
  ...["type", "priority", "active", "exists", "autostart", "families", "uplink-id", "cidr", "cidr6"],
  ...["method", "comments", "options", "address", "netmask", "gateway", "broadcast"].flatMap((name) => [
    name,
    `${name}6`,
  ]),
]);

const line = (entry: Interface, name: string, word = name) => (isGiven(entry[name]) ? [`${word} ${entry[name]}`] : []);
const spaced = (list: unknown) => String(list ?? "").replace(/[;,\s]+/g, " ") || "none";

function bridgeLines(entry: Interface): string[] {
  const stp = entry["bridge_stp"] ?? "off";
  const delay = entry["bridge_fd"] ?? (stp === "off" ? 0 : undefined);
  const isDelayed = delay !== undefined && (stp === "off" || (Number(delay) >= 2 && Number(delay) <= 30));
  return [
    `bridge-ports ${spaced(entry["bridge_ports"])}`,
    `bridge-stp ${stp}`,
    ...(isDelayed ? [`bridge-fd ${delay}`] : []),
    // PVE checks whether the option is present, not its value.
    ...(entry["bridge_vlan_aware"] === undefined
      ? []
      : ["bridge-vlan-aware yes", `bridge-vids ${entry["bridge_vids"] || "2-4094"}`]),
    ...line(entry, "mtu"),
  ];
}

function bondLines(entry: Interface): string[] {
  const mode = entry["bond_mode"];
  const hashes = mode === "balance-xor" || mode === "802.3ad";
  return [
    `bond-slaves ${spaced(entry["slaves"])}`,
    `bond-miimon ${entry["bond_miimon"] ?? 100}`,
    `bond-mode ${mode ?? "balance-rr"}`,
    ...(hashes ? line(entry, "bond_xmit_hash_policy", "bond-xmit-hash-policy") : []),
    ...(mode === "active-backup" ? line(entry, "bond-primary") : []),
    ...line(entry, "mtu"),
  ];
}

const typeOptions: Readonly<Record<string, readonly string[]>> = {
  bridge: [
    ...["bridge_ports", "bridge_stp", "bridge_fd", "bridge_vlan_aware", "bridge_vids", "mtu"],
    "bridge-disable-mac-learning",
  ],
  bond: ["slaves", "bond_miimon", "bond_mode", "bond_xmit_hash_policy", "bond-primary", "mtu"],
};

/** Options that the name of a VLAN implies are not written. */
function saidByName(name: string): string[] {
  return /^\S+\.\d+$/.test(name) ? ["vlan-raw-device", "vlan-id"] : /^vlan\d+$/.test(name) ? ["vlan-id"] : [];
}

/** Options of the type first, then all others by name. */
function optionLines(name: string, entry: Interface): string[] {
  const type = String(entry["type"]);
  const isOpenVSwitch = type.startsWith("OVS");
  const shown = isOpenVSwitch ? withOpenVSwitchOptions(entry) : entry;
  const done = type === "vlan" ? saidByName(name) : isOpenVSwitch ? openVSwitchOptions : (typeOptions[type] ?? []);
  return [
    ...(type === "bridge" ? bridgeLines(entry) : type === "bond" ? bondLines(entry) : []),
    ...(isOpenVSwitch ? openVSwitchLines(entry) : []),
    ...Object.keys(shown)
      .sort()
      .filter((option) => !unprinted.has(option) && !done.includes(option))
      .flatMap((option) => line(shown, option)),
  ];
}

/** A name that only an alias or a VLAN mentions has no stanza, and PVE fails on it. */
function stanza(name: string, entry: Interface): string[] {
  const families =
    (entry["families"] as (string | null)[] | undefined) ??
    die("Can't use an undefined value as an ARRAY reference at /usr/share/perl5/PVE/Network/Interfaces.pm line 1131.");
  const onlyV6 = families.length === 1 && families[0] === "inet6";
  const shown = onlyV6 ? { ...entry, comments: undefined, comments6: entry["comments"] } : entry;
  return [
    ...(isGiven(entry["autostart"]) ? [`auto ${name}`] : []),
    ...families.flatMap((family, index) => {
      const suffixes: ("" | "6")[] = family === null ? ["", "6"] : [family === "inet6" ? "6" : ""];
      const method = family === null ? "" : ` ${family} ${entry[`method${suffixes[0]}`]}`;
      const settings = [
        ...suffixes.flatMap((suffix) => addressLines(shown, suffix)),
        ...(index === 0 ? optionLines(name, shown) : []),
        ...suffixes.flatMap((suffix) => (shown[`options${suffix}`] as string[] | undefined) ?? []),
      ];
      return [
        `iface ${name}${method}`,
        ...settings.map((setting) => `\t${setting}`),
        ...suffixes.flatMap((suffix) => lines(shown[`comments${suffix}`]).map((text) => `#${text}`)),
        "",
      ];
    }),
  ];
}

const typePriority: Readonly<Record<string, number>> = {
  loopback: 100_000,
  dummy: 100_000,
  eth: 200_000,
  OVSPort: 200_000,
  OVSIntPort: 300_000,
  OVSBond: 400_000,
  bond: 400_000,
  bridge: 500_000,
  OVSBridge: 500_000,
  vlan: 600_000,
  vxlan: 600_000,
};
const newPriority = 50_000;

/** Physical cards before bonds before bridges before VLANs; otherwise in the order of the file. */
function inOrder(interfaces: Interfaces): string[] {
  const typeOf = (name: string) => {
    const [root = "", ...rest] = name.split(/[.:]/);
    const priority = typePriority[String(interfaces[root]?.["type"])];
    return priority === undefined ? undefined : priority + rest.length;
  };
  const place = (name: string) => Number(interfaces[name]?.["priority"] ?? newPriority);
  return Object.keys(interfaces).sort((one, other) => {
    const [first, second] = [typeOf(one), typeOf(other)];
    const byType = first === undefined || second === undefined ? 0 : first - second;
    return byType + place(one) - place(other) || (one < other ? -1 : 1);
  });
}

const header = `# network interface settings; autogenerated
# Please do NOT modify this file directly, unless you know what
# you're doing.
#
# If you want to manage parts of the network configuration manually,
# please utilize the 'source' or 'source-directory' directives to do
# so.
# PVE will preserve these directives, but will NOT read its network
# configuration from sourced files, so do not attempt to move any of
# the PVE managed interfaces into external files!

`;

const loopback = { type: "loopback", method: "loopback", autostart: 1, priority: 1, families: ["inet"] };

/** A file as an installation has it: every one has the loopback device, and PVE has not written it yet. */
export function installedFile(interfaces: Interfaces): string {
  const complete = Object.entries(interfaces).map(([name, entry]) => [name, { families: ["inet"], ...entry }]);
  return body({ interfaces: { lo: loopback, ...Object.fromEntries(complete) }, lines: [] });
}

/** The file as PVE writes it. */
export function formatFile(file: InterfacesFile): string {
  return `${header}${body(file)}`;
}

/** Other lines keep their place between the interfaces; new interfaces come before the last of them. */
function body({ interfaces, lines: foreign }: InterfacesFile): string {
  const rest = [...foreign];
  const text = inOrder(interfaces).flatMap((name) => {
    const entry = interfaces[name] as Interface;
    const next = rest.findIndex(({ priority }) => priority >= Number(entry["priority"] ?? 0));
    const before = rest.splice(0, next < 0 ? rest.length : next).map(({ line: other }) => other);
    return [...(before.length > 0 ? [...before, ""] : []), ...stanza(name, entry)];
  });
  return [...text, ...rest.map(({ line: other }) => other)].map((one) => `${one}\n`).join("");
}

/** `split_list` of the ports, from the option of the type. */
export function portsOf(entry: Interface): string[] {
  return ["bridge_ports", "ovs_ports", "slaves", "ovs_bonds"].flatMap((name) => splitList(String(entry[name] ?? "")));
}

/** Perl's `split(/\s+/, …)`: a blank in front makes an empty word, one at the end does not. */
export function wordsOf(value: unknown): string[] {
  const text = String(value ?? "").trimEnd();
  return text === "" ? [] : text.split(/\s+/);
}

export const requireOpenVSwitch = ({ hasOpenVSwitch }: Pick<Node, "hasOpenVSwitch">) =>
  hasOpenVSwitch || die("Open VSwitch is not installed (need package 'openvswitch-switch')");
