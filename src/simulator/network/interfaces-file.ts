import { splitList } from "../schema/format.ts";

// /etc/network/interfaces as PVE writes it: pve-common `src/PVE/Network/Interfaces.pm`.

export type Interface = Record<string, unknown>;
export type Interfaces = Record<string, Interface>;

const isGiven = (value: unknown) => value !== undefined && value !== "" && value !== 0 && value !== "0";

function addressLines(entry: Interface, suffix: "" | "6"): string[] {
  const { [`address${suffix}`]: address, [`netmask${suffix}`]: mask, [`gateway${suffix}`]: gateway } = entry;
  return [
    ...(isGiven(address) ? [`address ${address}${isGiven(mask) ? `/${mask}` : ""}`] : []),
    ...(isGiven(gateway) ? [`gateway ${gateway}`] : []),
  ];
}

const spaced = (list: unknown) => splitList(String(list ?? "")).join(" ") || "none";

function typeLines(entry: Interface): string[] {
  const mtu = isGiven(entry["mtu"]) ? [`mtu ${entry["mtu"]}`] : [];
  switch (entry["type"]) {
    case "bridge":
      return [
        `bridge-ports ${spaced(entry["bridge_ports"])}`,
        `bridge-stp ${entry["bridge_stp"] ?? "off"}`,
        `bridge-fd ${entry["bridge_fd"] ?? 0}`,
        ...(isGiven(entry["bridge_vlan_aware"])
          ? ["bridge-vlan-aware yes", `bridge-vids ${entry["bridge_vids"] ?? "2-4094"}`]
          : []),
        ...mtu,
      ];
    case "bond":
      return [
        `bond-slaves ${spaced(entry["slaves"])}`,
        "bond-miimon 100",
        `bond-mode ${entry["bond_mode"] ?? "balance-rr"}`,
        ...(isGiven(entry["bond_xmit_hash_policy"]) ? [`bond-xmit-hash-policy ${entry["bond_xmit_hash_policy"]}`] : []),
        ...(isGiven(entry["bond-primary"]) ? [`bond-primary ${entry["bond-primary"]}`] : []),
        ...mtu,
      ];
    case "vlan":
      return [
        ...(isGiven(entry["vlan-raw-device"]) ? [`vlan-raw-device ${entry["vlan-raw-device"]}`] : []),
        ...(isGiven(entry["vlan-id"]) ? [`vlan-id ${entry["vlan-id"]}`] : []),
        ...mtu,
      ];
    default:
      return mtu;
  }
}

function stanza(name: string, entry: Interface): string[] {
  const families = (entry["families"] as string[] | undefined) ?? ["inet"];
  return [
    ...(isGiven(entry["autostart"]) ? [`auto ${name}`] : []),
    ...families.flatMap((family, index) => {
      const suffix = family === "inet6" ? "6" : "";
      const comments = String(entry[`comments${suffix}`] ?? "")
        .split("\n")
        .filter((line) => line !== "");
      return [
        `iface ${name} ${family} ${entry[`method${suffix}`] ?? "manual"}`,
        ...[...addressLines(entry, suffix), ...(index === 0 ? typeLines(entry) : [])].map((line) => `\t${line}`),
        ...comments.map((line) => `#${line}`),
        "",
      ];
    }),
  ];
}

function interfacesFile(interfaces: Interfaces): string[] {
  const order = Object.entries(interfaces).sort(([a], [b]) => (a < b ? -1 : 1));
  return ["auto lo", "iface lo inet loopback", "", ...order.flatMap(([name, entry]) => stanza(name, entry))];
}

/** What differs, in the manner of `diff -u` with all lines for context. */
export function pendingChanges(current: Interfaces, next: Interfaces): string {
  const before = interfacesFile(current);
  const after = interfacesFile(next);
  const body = compare(before, after);
  const header = ["--- /etc/network/interfaces", "+++ /etc/network/interfaces.new"];
  return `${[...header, `@@ -1,${before.length} +1,${after.length} @@`, ...body].join("\n")}\n`;
}

/** The longest common subsequence of lines stays, the rest is removed or added. */
function compare(before: string[], after: string[]): string[] {
  const length = before.map(() => new Array<number>(after.length + 1).fill(0));
  length.push(new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number) => length[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = length[i] as number[];
      row[j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push(` ${before[i]}`);
      i++;
      j++;
    } else if (j >= after.length || (i < before.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push(`-${before[i++]}`);
    } else {
      lines.push(`+${after[j++]}`);
    }
  }
  return lines;
}
