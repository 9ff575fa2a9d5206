import type { Fields } from "../export/reader.ts";

/** Types whose objects no list shows, and the import IDs of those that an export has found. */
export const idsIn: Readonly<Record<string, (seed: Fields) => string[]>> = {
  proxmox_acl: (seed) => listOf(seed, "acl").map(({ path, roleid, type, ugid }) => `${path}:${roleid}:${type}:${ugid}`),
  proxmox_token: (seed) => listOf(seed, "tokens").map(({ tokenid }) => String(tokenid)),
  proxmox_cluster_options: (seed) => (hasOptions(seed) ? ["cluster"] : []),
  proxmox_node_config: (seed) =>
    online(seed)
      .filter(({ config }) => config !== undefined)
      .map(nameOf),
  proxmox_node_dns: (seed) => online(seed).map(nameOf),
  proxmox_node_time: (seed) => online(seed).map(nameOf),
  proxmox_node_hosts: (seed) => online(seed).map(nameOf),
  proxmox_firewall_options: (seed) => scopesWith(seed, "options"),
  proxmox_firewall_rules: (seed) => scopesWith(seed, "rules"),
};

const listOf = (seed: Fields, name: string): readonly Fields[] => (seed[name] ?? []) as readonly Fields[];

const online = (seed: Fields): readonly Fields[] => listOf(seed, "nodes").filter(({ status }) => status === "online");

const nameOf = ({ name }: Fields): string => String(name);

/** What every cluster has says nothing. */
function hasOptions(seed: Fields): boolean {
  const options = ((seed["cluster"] as Fields | undefined)?.["options"] ?? {}) as Fields;
  return Object.entries(options).some(([name, value]) => name !== "mac_prefix" && name !== "next-id" && value !== "");
}

/** Firewalls in which something is written. */
function scopesWith(seed: Fields, member: "options" | "rules"): string[] {
  const firewall = (seed["firewall"] ?? {}) as Fields;
  const filesOf = (name: string) => Object.entries((firewall[name] ?? {}) as Readonly<Record<string, Fields>>);
  const files: [string, Fields][] = [
    ["cluster", (firewall["cluster"] ?? {}) as Fields],
    ...filesOf("nodes").map(([name, file]): [string, Fields] => [`node/${name}`, file]),
    ...filesOf("guests").map(([name, file]): [string, Fields] => [`guest/${name}`, file]),
    ...filesOf("vnets").map(([name, file]): [string, Fields] => [`vnet/${name}`, file]),
  ];
  return files.filter(([, file]) => file[member] !== undefined).map(([scope]) => scope);
}

/** What the provider cannot take over, and why. */
export const notAdopted: readonly string[] = [
  "Files, ISO images and templates on storages: they are data; `proxmox_download` and `proxmox_file` create them anew.",
  "Snapshots: they are moments of a guest; `proxmox_snapshot` creates new ones.",
  "Storages that were created on disks of a node (ZFS, LVM, directories): their storage entries are adopted.",
  "Passwords, keys and secrets of tokens: Proxmox VE shows none.",
];
