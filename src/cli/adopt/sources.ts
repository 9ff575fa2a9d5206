import type { Fields } from "../export/reader.ts";

type Source = (seed: Fields) => readonly string[];

/** Types of what is made of whole disks, and what an export calls them. */
const diskKinds: Readonly<Record<string, string>> = {
  proxmox_node_directory: "directory",
  proxmox_node_lvm: "lvm",
  proxmox_node_lvmthin: "lvmthin",
  proxmox_node_zfs_pool: "zfs",
};

/** Types whose objects no list shows, and the import IDs of those that an export has found. */
export const idsIn: Readonly<Record<string, Source>> = {
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
  proxmox_node_certificate: (seed) => certified(seed, (node) => !hasAcme(node)),
  proxmox_acme_certificate: (seed) => certified(seed, hasAcme),
  proxmox_apt_repository: (seed) => online(seed).flatMap((node) => repositoriesOf(node)),
  ...Object.fromEntries(Object.entries(diskKinds).map(([type, kind]) => [type, (seed) => diskPools(seed, kind)])),
  proxmox_sdn_ip: (seed) => sdnAddresses(seed),
  proxmox_firewall_options: (seed) => scopesWith(seed, "options"),
  proxmox_firewall_rules: (seed) => scopesWith(seed, "rules"),
};

/** Whether a cluster has nothing of a type, and would say so with an error. */
export const isAbsent = (type: string, seed: Fields): boolean =>
  type === "proxmox_ceph_pool" && seed["ceph"] === undefined;

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

const hasAcme = ({ config }: Fields): boolean =>
  Object.keys((config ?? {}) as Fields).some((option) => option.startsWith("acme"));

/** Nodes with a certificate that is not the cluster's own. */
const certified = (seed: Fields, isWanted: (node: Fields) => boolean): string[] =>
  online(seed)
    .filter((node) => node["certificate"] !== undefined && isWanted(node))
    .map(nameOf);

/** Proxmox's own by their handle, others by their place. */
function repositoriesOf(node: Fields): string[] {
  const places = new Map<unknown, number>();
  const ids = listOf(node, "repositories").map(({ path, components }) => {
    const index = places.get(path) ?? 0;
    places.set(path, index + 1);
    const [, handle] = /^pve-?(enterprise|no-subscription|test)$/.exec(String((components as string[])?.[0])) ?? [];
    return `${node["name"]}/${handle ?? `${path}#${index}`}`;
  });
  return [...new Set(ids)];
}

/** What was made of whole disks. */
const diskPools = (seed: Fields, kind: string): string[] =>
  online(seed).flatMap((node) =>
    listOf(node, "disk_pools")
      .filter(({ type }) => type === kind)
      .map(({ name }) => `${node["name"]}/${name}`),
  );

/** What a node reports of a pool on disks, which may name them otherwise than the configuration that made it. */
export function reportedOf(type: string, importId: string, seed: Fields): string | null {
  const kind = diskKinds[type];
  const [node, name] = importId.split("/");
  const own = online(seed).find((one) => kind !== undefined && one["name"] === node);
  const found = listOf(own ?? {}, "disk_pools").find((one) => one["type"] === kind && one["name"] === name);
  const { devices, raidlevel, filesystem } = found ?? {};
  const said = [...((devices ?? []) as string[]), raidlevel, filesystem].filter((one) => one !== undefined);
  return said.length === 0 ? null : said.join(", ");
}

/** Those of guests belong to their network cards. */
function sdnAddresses(seed: Fields): string[] {
  const sdn = (seed["sdn"] ?? {}) as Fields;
  const zoneOf = (name: unknown) => listOf(sdn, "vnets").find(({ vnet }) => vnet === name)?.["zone"];
  return listOf(sdn, "addresses")
    .filter(({ mac, vmid }) => mac !== undefined && vmid === undefined)
    .flatMap(({ zone, subnet: cidr, ip }) => {
      const own = listOf(sdn, "subnets").find(({ subnet, vnet }) => subnet === cidr && zoneOf(vnet) === zone);
      return own === undefined ? [] : [`${own["vnet"]}/${ip}`];
    });
}
