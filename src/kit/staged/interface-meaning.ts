/**
 * The lines of one interface by what they mean. The first write through the API prints the whole file in PVE's own words, and
 * adds what it takes for given, though only one interface was changed. Server side: pve-common
 * `src/PVE/Network/Interfaces.pm`, `__read_etc_network_interfaces` and `__interface_to_string`.
 */
export function meaningOf(lines: readonly string[]): readonly string[] {
  const options = lines.map(inOwnWords);
  const netmask = options.find(([name]) => name === "netmask")?.[1];
  return options
    .filter(([name, value]) => name !== "netmask" && !givenAnyway.has(`${name} ${value}`))
    .map(([name, value]) => (name === "address" ? `address ${withPrefix(value, netmask)}` : `${name} ${value}`))
    .sort();
}

/** What PVE writes for each bridge and bond, whether the file had it or not. */
const givenAnyway = new Set(["bridge-stp off", "bridge-fd 0", "bond-miimon 100", "bridge-vids 2-4094"]);

/** In the order of their numbers, by which an old file may name them. */
export const bondModes = [
  "balance-rr",
  "active-backup",
  "balance-xor",
  "broadcast",
  "802.3ad",
  "balance-tlb",
  "balance-alb",
] as const;

function inOwnWords(line: string): readonly [name: string, value: string] {
  const [, spelled = line, rest = ""] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
  if (line.startsWith("#")) return ["#", line.slice(1).trim()];
  const name = spelled.replaceAll("_", "-");
  const words = rest.split(/\s+/);
  switch (name) {
    case "slaves":
    case "bond-slaves":
      return ["bond-slaves", words.sort().join(" ")];
    case "bridge-ports":
    case "ovs-ports":
    case "ovs-bonds":
      return [name, words.sort().join(" ")];
    case "bridge-vlan-aware":
      return [name, "yes"];
    case "bridge-stp":
      return [name, /^(on|yes)$/i.test(rest) ? "on" : "off"];
    case "bond-mode":
      return [name, bondModes[Number(rest)] ?? rest];
    default:
      return [name, words.join(" ")];
  }
}

function withPrefix(address: string, netmask: string | undefined): string {
  if (address.includes("/")) return address;
  if (netmask === undefined) return `${address}/${address.includes(":") ? 128 : 32}`;
  const octets = netmask.split(".").map((octet) => Number(octet).toString(2));
  return `${address}/${netmask.includes(".") ? octets.join("").replaceAll("0", "").length : netmask}`;
}
