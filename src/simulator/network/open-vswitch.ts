import { die } from "../core/kernel/failure.ts";
import { splitList } from "../core/schema/format.ts";

// Open vSwitch in /etc/network/interfaces: pve-common `src/PVE/Network/Interfaces.pm`.

type Interface = Record<string, unknown>;

/** Options that `openVSwitchLines` writes. */
export const openVSwitchOptions = [
  "ovs_type",
  "ovs_tag",
  "ovs_options",
  "ovs_ports",
  "ovs_bridge",
  "ovs_bonds",
  "bond_mode",
];

/** VLAN and mode of a bond are words of `ovs_options`. */
export function openVSwitchLines(entry: Interface): string[] {
  const { type, ovs_tag: tag, ovs_options: options, bond_mode: mode } = entry;
  const [, lacp, plain] = /^(lacp-)?(.+)$/.exec(String(mode ?? "")) ?? [];
  const words = [
    ...(type === "OVSBond" && plain !== undefined ? [`bond_mode=${plain}`, ...(lacp ? ["lacp=active"] : [])] : []),
    ...(tag ? [`tag=${tag}`] : []),
    ...(options ? [String(options)] : []),
  ];
  const line = (name: string) => (entry[name] ? [`${name} ${splitList(String(entry[name])).join(" ")}`] : []);
  return [
    `ovs_type ${type}`,
    ...line("ovs_bonds"),
    ...line("ovs_bridge"),
    ...line("ovs_ports"),
    ...(words.length > 0 ? [`ovs_options ${words.join(" ")}`] : []),
  ];
}

/** The other way round. */
export function takeOpenVSwitch(entry: Interface): void {
  entry["type"] = entry["ovs_type"];
  const words = String(entry["ovs_options"] ?? "")
    .split(/\s+/)
    .filter(Boolean);
  const take = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const [tag, mode, lacp] = [take("tag"), take("bond_mode"), take("lacp")];
  const rest = words.filter((word) => !/^(?:tag|bond_mode|lacp)=/.test(word));
  if (tag !== undefined) {
    entry["ovs_tag"] = tag;
  }
  if (mode !== undefined) {
    entry["bond_mode"] = `${lacp === undefined ? "" : "lacp-"}${mode}`;
  }
  delete entry["ovs_options"];
  if (rest.length > 0) {
    entry["ovs_options"] = rest.join(" ");
  }
}

/** Ports belong to their bridge. */
export function checkOpenVSwitch(interfaces: Record<string, Interface>): void {
  for (const [name, entry] of Object.entries(interfaces)) {
    if (entry["type"] !== "OVSBridge") {
      continue;
    }
    for (const port of splitList(String(entry["ovs_ports"] ?? ""))) {
      const found = interfaces[port] ?? die(`OVS bridge '${name}' - unable to find port '${port}'`);
      if (found["type"] === "eth") {
        found["type"] = "OVSPort";
      } else if (!/^OVS(?:Bond|Port|IntPort)$/.test(String(found["type"]))) {
        die(`interface '${port}' is not defined as OVS port/bond`);
      }
      found["ovs_bridge"] = name;
    }
  }
}
