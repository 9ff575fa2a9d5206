import type { Fields } from "../export/reader.ts";

/** Objects of a cluster by a name that stays the same: `VM 100`, `storage nas`. */
export type Objects = ReadonlyMap<string, Fields>;

type List = readonly Fields[];

/** Lists of the export, what identifies a member, and what it is called. */
const lists: readonly (readonly [path: readonly string[], noun: string, id: (one: Fields) => string])[] = [
  [["storages"], "storage", ({ storage }) => String(storage)],
  [["pools"], "pool", ({ poolid }) => String(poolid)],
  [["realms"], "realm", ({ realm }) => String(realm)],
  [["users"], "user", ({ userid }) => String(userid)],
  [["groups"], "group", ({ groupid }) => String(groupid)],
  [["tokens"], "token", ({ tokenid }) => String(tokenid)],
  [["acl"], "permission", ({ path, ugid, roleid }) => `${roleid} on ${path} for ${ugid}`],
  [["ha_resources"], "HA resource", ({ sid }) => String(sid)],
  [["ha_rules"], "HA rule", ({ rule }) => String(rule)],
  [["backup_jobs"], "backup job", ({ id }) => String(id)],
  [["realm_sync_jobs"], "realm sync job", ({ id }) => String(id)],
  [["replication_jobs"], "replication job", ({ id }) => String(id)],
  [["custom_cpu_models"], "CPU model", ({ cputype }) => String(cputype)],
  [["metric_servers"], "metric server", ({ id }) => String(id)],
  [["notifications"], "notification", ({ type, name }) => `${type} ${name}`],
  [["acme", "accounts"], "ACME account", ({ name }) => String(name)],
  [["acme", "plugins"], "ACME plugin", ({ id }) => String(id)],
  [["mappings", "pci"], "PCI mapping", ({ id }) => String(id)],
  [["mappings", "usb"], "USB mapping", ({ id }) => String(id)],
  [["mappings", "dir"], "directory mapping", ({ id }) => String(id)],
  [["sdn", "zones"], "SDN zone", ({ zone }) => String(zone)],
  [["sdn", "vnets"], "vnet", ({ vnet }) => String(vnet)],
  [["sdn", "subnets"], "subnet", ({ vnet, subnet }) => `${subnet} of ${vnet}`],
  [["sdn", "controllers"], "SDN controller", ({ controller }) => String(controller)],
  [["sdn", "fabrics"], "fabric", ({ id }) => String(id)],
  [["sdn", "fabric_nodes"], "fabric node", ({ fabric_id: fabric, node_id: node }) => `${node} of ${fabric}`],
  [["sdn", "prefix_lists"], "prefix list", ({ id }) => String(id)],
  [
    ["sdn", "route_map_entries"],
    "route map entry",
    ({ "route-map-id": map, order }) => `${String(order)} of ${String(map)}`,
  ],
  [["sdn", "ipams"], "IPAM", ({ ipam }) => String(ipam)],
  [["sdn", "dns"], "SDN DNS server", ({ dns }) => String(dns)],
  [["ceph", "pools"], "Ceph pool", ({ name }) => String(name)],
  [["iso_files"], "ISO image", (one) => fileId(one)],
  [["container_templates"], "container template", (one) => fileId(one)],
  [["snippets"], "snippet", (one) => fileId(one)],
  [["import_files"], "import image", (one) => fileId(one)],
];

const fileId = ({ volid, node }: Fields): string => `${volid}${node === undefined ? "" : ` on ${node}`}`;

/** What changes on its own: free space, secrets that an export makes up, the state of a node, locks. */
const volatile = new Set([
  ...["avail_bytes", "total_bytes", "bytes_per_second", "memory_bytes"],
  ...["secret", "status", "lock", "digest"],
]);

const settled = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !volatile.has(name)));

const at = (seed: Fields, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], seed);

/** Everything in an export that an administrator can change. */
export function objectsOf(seed: Fields): Objects {
  const objects = new Map<string, Fields>();
  for (const [path, noun, id] of lists) {
    for (const one of (at(seed, path) ?? []) as List) objects.set(`${noun} ${id(one)}`, settled(one));
  }
  for (const node of (seed["nodes"] ?? []) as List) addNode(objects, node);
  for (const { zone, ip, vmid, ...address } of (at(seed, ["sdn", "addresses"]) ?? []) as List) {
    // Guests get theirs when they start.
    if (vmid === undefined) objects.set(`address ${ip} of zone ${zone}`, address);
  }
  for (const guest of (seed["guests"] ?? []) as List) objects.set(guestName(guest), guestOf(guest, seed));
  for (const [role, privileges] of Object.entries((seed["roles"] ?? {}) as Fields)) {
    objects.set(`role ${role}`, { privileges });
  }
  objects.set("cluster options", (at(seed, ["cluster", "options"]) ?? {}) as Fields);
  addFirewall(objects, (seed["firewall"] ?? {}) as Fields);
  return objects;
}

const diskPoolNouns: Readonly<Record<string, string>> = {
  directory: "directory",
  lvm: "volume group",
  lvmthin: "thin pool",
  zfs: "ZFS pool",
};

/** Sizes of pools change as they are used. */
function addNode(objects: Map<string, Fields>, { disk_pools: pools, ...node }: Fields): void {
  objects.set(`node ${node["name"]}`, settled(node));
  for (const { type, name, size: _, ...pool } of (pools ?? []) as List) {
    objects.set(`${diskPoolNouns[String(type)]} ${name} on ${node["name"]}`, pool);
  }
}

const guestName = ({ type, vmid }: Fields): string => `${type === "lxc" ? "container" : "VM"} ${vmid}`;

/** HA moves guests between nodes on its own. */
function guestOf({ node, config, vmid, type: _, ...guest }: Fields, seed: Fields): Fields {
  const isMoved = ((seed["ha_resources"] ?? []) as List).some(({ sid }) => String(sid).endsWith(`:${vmid}`));
  return { ...settled(guest), ...settled((config ?? {}) as Fields), ...(isMoved ? {} : { node }) };
}

function addFirewall(objects: Map<string, Fields>, firewall: Fields): void {
  objects.set("firewall of the cluster", (firewall["cluster"] ?? {}) as Fields);
  for (const [member, noun] of [
    ["nodes", "node"],
    ["guests", "guest"],
    ["vnets", "vnet"],
  ] as const) {
    for (const [name, file] of Object.entries((firewall[member] ?? {}) as Fields)) {
      objects.set(`firewall of ${noun} ${name}`, file as Fields);
    }
  }
}
