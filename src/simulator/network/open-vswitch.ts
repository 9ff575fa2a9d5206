import { die } from "../core/kernel/failure.ts";

// Open vSwitch in /etc/network/interfaces: pve-common `src/PVE/Network/Interfaces.pm`.

type Interface = Record<string, unknown>;
type Interfaces = Record<string, Interface>;

/** Options that `openVSwitchLines` and `withOpenVSwitchOptions` write. */
export const openVSwitchOptions = [
  ...["ovs_type", "ovs_tag", "ovs_ports", "ovs_bridge", "ovs_bonds", "bond_mode", "mtu"],
];

const line = (entry: Interface, name: string, word = name) => (entry[name] ? [`${word} ${entry[name]}`] : []);
const isMember = ({ type }: Interface) => /^OVS(?:Port|IntPort|Bond)$/.test(String(type));

/** Lists are written as they were sent. */
export function openVSwitchLines(entry: Interface): string[] {
  const { type } = entry;
  return [
    ...(type === "OVSBond" ? line(entry, "ovs_bonds") : []),
    `ovs_type ${type}`,
    ...(type === "OVSBridge" ? line(entry, "ovs_ports") : line(entry, "ovs_bridge")),
    ...line(entry, "mtu", "ovs_mtu"),
  ];
}

const bondModes = ["active-backup", "balance-slb", "lacp-balance-slb", "lacp-balance-tcp"];

/** VLAN and mode of a bond are words of `ovs_options`. */
export function withOpenVSwitchOptions(entry: Interface): Interface {
  if (!isMember(entry)) {
    return entry;
  }
  const words = wordsOf(entry["ovs_options"]);
  const set = (name: string, value: unknown) => {
    words.delete(name);
    if (value) {
      words.set(name, String(value));
    }
  };
  if (entry["ovs_tag"] !== undefined) {
    set("tag", entry["ovs_tag"]);
  }
  if (entry["type"] === "OVSBond") {
    const mode = String(entry["bond_mode"] || "active-backup");
    if (!bondModes.includes(mode)) {
      die(`OVS does not support bond mode '${mode}`);
    }
    set("lacp", mode.startsWith("lacp-") ? "active" : undefined);
    set("bond_mode", mode.replace(/^lacp-/, ""));
  }
  return { ...entry, ovs_options: textOf(words) };
}

/** The other way round. */
export function takeOpenVSwitch(entry: Interface): void {
  entry["type"] = entry["ovs_type"];
  if (!isMember(entry)) {
    return;
  }
  const words = wordsOf(entry["ovs_options"]);
  const take = (name: string) => {
    const value = words.get(name);
    words.delete(name);
    return value;
  };
  if (entry["type"] === "OVSBond") {
    const [mode = "", lacp] = [take("bond_mode"), take("lacp")];
    const isNegotiated = mode === "balance-tcp" || (mode === "balance-slb" && lacp === "active");
    entry["bond_mode"] = `${isNegotiated ? "lacp-" : ""}${mode}`;
  }
  const tag = take("tag");
  if (tag !== undefined) {
    entry["ovs_tag"] = tag;
  }
  entry["ovs_options"] = textOf(words);
  if (entry["ovs_options"] === "") {
    delete entry["ovs_options"];
  }
}

const textOf = (words: ReadonlyMap<string, string>) => [...words].map(([name, value]) => `${name}=${value}`).join(" ");

function wordsOf(options: unknown): Map<string, string> {
  const pairs = String(options ?? "").split(/\s+/);
  return new Map(
    pairs.flatMap((pair) => {
      const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
}

const splitWords = (value: unknown) =>
  String(value ?? "")
    .split(/\s+/)
    .filter(Boolean);

interface Checks {
  readonly usedPorts: Readonly<Record<string, string>>;
  checkMtu(parent: string, child: string): void;
}

/** Ports that no bridge names become plain cards again, ports of a bridge belong to it, slaves of a bond are cards. */
export function checkOpenVSwitch(interfaces: Interfaces, { usedPorts, checkMtu }: Checks): void {
  for (const name of Object.keys(interfaces).filter((one) => isMember(interfaces[one] as Interface))) {
    const bridge = interfaces[usedPorts[name] ?? ""];
    if (bridge === undefined) {
      interfaces[name] = { type: "eth", exists: 1, method: "manual", families: ["inet"] };
    } else if (bridge["type"] !== "OVSBridge") {
      delete interfaces[name];
    }
  }
  const ofType = (type: string) => Object.entries(interfaces).filter(([, entry]) => entry["type"] === type);
  for (const [name, entry] of ofType("OVSBridge")) {
    for (const port of splitWords(entry["ovs_ports"])) {
      const found = interfaces[port] ?? die(`OVS bridge '${name}' - unable to find port '${port}'`);
      if (found["type"] === "eth") {
        found["type"] = "OVSPort";
      } else if (!isMember(found)) {
        die(`interface '${port}' is not defined as OVS port/bond`);
      }
      found["ovs_bridge"] = name;
      checkMtu(name, port);
    }
  }
  for (const [name, entry] of ofType("OVSBond")) {
    for (const port of splitWords(entry["ovs_bonds"])) {
      const type = String(interfaces[port]?.["type"] ?? "");
      if (type !== "eth") {
        die(`OVS bond '${name}' - wrong interface type on slave '${port}' ('${type}' != 'eth')`);
      }
      Object.assign(interfaces[port] as Interface, { autostart: 1 });
      checkMtu(name, port);
    }
  }
}
