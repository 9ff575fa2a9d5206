import { allOf } from "../export/fields.ts";
import type { Fields, Reader } from "../export/reader.ts";

type Source = (seed: Fields, reader: Reader) => readonly string[] | Promise<readonly string[]>;

/** Types whose objects no list shows, and the import IDs of those that an export has found, or that are asked for. */
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
  proxmox_node_directory: diskSource("directory", ({ path }) => String(path).split("/").at(-1) ?? ""),
  proxmox_node_lvm: diskSource("lvm", ({ name }) => String(name)),
  proxmox_node_lvmthin: diskSource("lvmthin", ({ lv }) => String(lv)),
  proxmox_node_zfs_pool: diskSource("zfs", ({ name }) => String(name)),
  proxmox_sdn_ip: async (_, reader) =>
    (await reader.perhapsList("/cluster/sdn/ipams/{ipam}/status", { ipam: "pve" }))
      // Addresses of gateways belong to subnets, those of guests to their network cards.
      .filter(({ vnet, ip, mac, gateway, vmid }) => vnet && ip && mac && !gateway && vmid === undefined)
      .map(({ vnet, ip }) => `${vnet}/${ip}`),
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

/** Storages that were made of whole disks; volume groups are the children of a tree. */
function diskSource(kind: string, name: (one: Fields) => string): Source {
  return async (seed, reader) => {
    const path = `/nodes/{node}/disks/${kind}`;
    const found = await allOf(online(seed).map(nameOf), async (node) => {
      const list =
        kind === "lvm"
          ? (((await reader.perhaps(path, { node }))?.["children"] ?? []) as readonly Fields[])
          : await reader.perhapsList(path, { node });
      return list.map((one) => `${node}/${name(one)}`);
    });
    return found.flat();
  };
}
