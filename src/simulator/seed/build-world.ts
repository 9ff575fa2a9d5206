import { rootUser, splitTokenId } from "../core/access/identity.ts";
import type { Privilege } from "../core/access/privileges.ts";
import type { Access, Token } from "../core/world/access.ts";
import { emptyWorld } from "../core/world/empty.ts";
import type { Node, NodeDisk } from "../core/world/node.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { installedFile } from "../network/interfaces-file.ts";
import { readFile } from "../network/read-interfaces.ts";
import { storageUsage } from "../storage/usage.ts";
import { asOptions } from "./as-options.ts";
import { addGuests } from "./guests.ts";
import { nodeDetails } from "./node-details.ts";
import { SeedError } from "./read-seed.ts";
import { addSections } from "./sections.ts";
import { isPrivilege, type Seed } from "./seed-schema.ts";
import { addVolumes, VolumeBuilder } from "./volumes.ts";

const datacenterDefaults: Readonly<Record<string, string>> = {
  mac_prefix: '"BC:24:11"',
  "next-id": '{"lower":100,"upper":1000000}',
};
const gibibyte = 1024 ** 3;
/** A full clone of 100 GB on the default thin storage takes 12 s. */
const defaultBytesPerSecond = (100 * gibibyte) / 12;
/** Gives guests an uptime and UPIDs a process start. */
const uptimeAtStart = 7500;

/** Turns a checked seed into the world it describes. */
export function buildWorld(seed: Seed): World {
  const world = emptyWorld();
  Object.assign(world.version, defined(seed.version ?? {}, ["version", "release", "repoid"]));
  addNodes(world, seed);
  world.cluster.name = seed.cluster?.name;
  world.cluster.options = clusterOptions(seed.cluster?.options);
  world.cluster.qemuVersion = seed.node?.qemu_version ?? world.cluster.qemuVersion;
  const { behaviour } = world.cluster;
  behaviour.statisticsCycle = seed.behaviour?.statistics_cycle_s ?? behaviour.statisticsCycle;
  behaviour.acpiShutdown = seed.behaviour?.guest?.acpi_shutdown_s ?? behaviour.acpiShutdown;
  behaviour.agentAfterStart = seed.behaviour?.guest?.agent_answers_after_start_s ?? behaviour.agentAfterStart;
  addAccess(world.access, seed);
  addStorages(world, seed);
  const builder = new VolumeBuilder(world);
  addVolumes(world, seed, builder);
  addGuests(world, seed, builder);
  countVolumes(world);
  addSections(world, seed);
  return world;
}

function addNodes(world: World, seed: Seed): void {
  const members = [...(seed.node === undefined ? [] : [seed.node]), ...(seed.other_nodes ?? []), ...(seed.nodes ?? [])];
  if (members.length === 0) {
    throw new SeedError("nodes", "at least one node is required");
  }
  const alone = members.length === 1;
  const now = Math.floor(Date.now() / 1000);
  for (const [index, member] of members.entries()) {
    const address = member.address ?? `192.0.2.${index + 11}`;
    const { configured, others } = interfacesOf(seed, member);
    const node: Node = {
      name: member.name,
      id: member.nodeid ?? (alone ? 0 : index + 1),
      address,
      online: member.status !== "offline",
      ...(member.disks === undefined ? {} : { disks: member.disks.map(disk) }),
      cpus: member.cpus ?? 16,
      memory: member.memory_bytes ?? 64 * gibibyte,
      ...hostNetwork(addressed(structuredClone(configured), address)),
      otherBridges: others,
      ...(isListedWithout(seed.packages, "ifupdown2") && { hasNoIfupdown2: true }),
      bootedAt: now - uptimeAtStart,
      ...nodeDetails(member),
    };
    if (world.nodes[node.name] !== undefined) {
      throw new SeedError(`nodes[${index}].name`, `node '${node.name}' is listed twice`);
    }
    world.nodes[node.name] = node;
  }
  world.cluster.local = (members[0] as { name: string }).name;
}

/** A seed that lists the packages of its hosts lists all of them. */
function isListedWithout(packages: unknown, name: string): boolean {
  return typeof packages === "object" && packages !== null && !(name in packages);
}

/** The interfaces as PVE reads them from their file; `active` is a member of the seed only. */
function hostNetwork(configured: Node["interfaces"]): Pick<Node, "interfaces" | "nics"> {
  const nics = Object.keys(configured).filter((name) => configured[name]?.["type"] === "eth");
  const { interfaces } = readFile(installedFile(configured), nics);
  for (const [name, entry] of Object.entries(interfaces)) {
    entry["active"] = configured[name]?.["active"];
  }
  return { interfaces, nics };
}

/** A static interface without an address gets that of the node. */
function addressed(interfaces: Node["interfaces"], address: string): Node["interfaces"] {
  for (const options of Object.values(interfaces)) {
    if (options["method"] === "static" && options["address"] === undefined) {
      Object.assign(options, { address, netmask: "24", cidr: `${address}/24` });
    }
  }
  return interfaces;
}

/** A bridge without a method is not in /etc/network/interfaces, but guests can use it. */
function interfacesOf(seed: Seed, member: SeedNode): { configured: Node["interfaces"]; others: string[] } {
  const shared = [...(seed.interfaces ?? []), ...(seed.bridges ?? [])];
  const own = new Set((member.interfaces ?? []).map(({ iface }) => iface));
  const all = [...shared.filter(({ iface }) => !own.has(iface)), ...(member.interfaces ?? [])] as Record<
    string,
    unknown
  >[];
  const configured = all.filter((entry) => entry["method"] !== undefined);
  return {
    configured: Object.fromEntries(
      configured.map(({ iface, note: _, vlan_aware: aware, ...options }) => [
        String(iface),
        { active: 0, ...options, ...(aware === true ? { bridge_vlan_aware: 1 } : {}) },
      ]),
    ),
    others: all.filter((entry) => entry["method"] === undefined).map((entry) => String(entry["iface"])),
  };
}

/**
 * datacenter.cfg stores nested options as property strings; a seed may contain PVE's defaults, which are not in the
 * file.
 */
function clusterOptions(options: unknown): Record<string, string> {
  const nested = (value: object) =>
    Object.entries(value)
      .map(([key, member]) => `${key}=${member}`)
      .join(",");
  const entries = Object.entries((options ?? {}) as Record<string, unknown>);
  return Object.fromEntries(
    entries
      .filter(([key, value]) => value !== "" && JSON.stringify(value) !== datacenterDefaults[key])
      .map(([key, value]) => [key, typeof value === "object" && value !== null ? nested(value) : String(value)]),
  );
}

function addAccess(access: Access, seed: Seed): void {
  // Entries that every cluster has, whatever its files contain.
  access.realms = { pam: { type: "pam", options: {} }, pve: { type: "pve", options: {} } };
  access.users[rootUser] = { enable: true, expire: 0, groups: [], tokens: {}, tfa: [] };
  for (const { realm, type, note: _, ...options } of seed.realms ?? []) {
    const { default: isDefault, ...others } = asOptions(options);
    access.realms[realm] = { type, options: { ...others, ...(isDefault === "1" ? { default: "1" } : {}) } };
  }
  for (const { groupid, comment } of seed.groups ?? []) {
    access.groups[groupid] = defined({ comment });
  }
  for (const { userid, enable, expire, groups, totp, note: _, ...details } of seed.users ?? []) {
    access.users[userid] = {
      ...defined(details),
      enable: enable !== 0,
      expire: expire ?? 0,
      groups: groups ?? [],
      tokens: {},
      tfa:
        totp === undefined
          ? []
          : [{ id: "seed-totp", type: "totp", description: "seed", created: 0, enable: true, secret: totp }],
    };
  }
  for (const [index, token] of (seed.tokens ?? []).entries()) {
    addToken(access, token, `tokens[${index}].tokenid`);
  }
  for (const [name, list] of Object.entries((seed.roles ?? {}) as Record<string, unknown>)) {
    access.roles[name] = rolePrivileges(list, `roles.${name}`);
  }
  access.acl = (seed.acl ?? []).map(({ path, type, ugid, roleid, propagate }) => ({
    path,
    type,
    ugid,
    roleid,
    propagate: propagate !== 0,
  }));
  for (const { poolid, comment, vms, storage } of seed.pools ?? []) {
    access.pools[poolid] = { ...defined({ comment }), vms: vms ?? [], storage: storage ?? [] };
  }
}

function addToken(access: Access, seed: NonNullable<Seed["tokens"]>[number], place: string): void {
  const split = splitTokenId(seed.tokenid);
  const owner = access.users[split?.user ?? ""];
  if (split === undefined || owner === undefined) {
    throw new SeedError(place, `'${seed.tokenid}' is not <user>@<realm>!<name> of a user in 'users'`);
  }
  const token: Token = {
    secret: seed.secret,
    privsep: seed.privsep !== 0,
    expire: seed.expire ?? 0,
    ...defined({ comment: seed.comment }),
  };
  owner.tokens[split.token] = token;
}

function rolePrivileges(list: unknown, place: string): Privilege[] {
  if (!Array.isArray(list)) {
    throw new SeedError(place, "must be a list of privileges");
  }
  return list.map((name, index) => {
    if (typeof name !== "string" || !isPrivilege(name)) {
      throw new SeedError(`${place}[${index}]`, `'${name}' is not a privilege`);
    }
    return name;
  });
}

function addStorages(world: World, seed: Seed): void {
  for (const entry of seed.storages ?? []) {
    const { storage, type, content, shared, enabled, active, nodes, ...others } = entry;
    const { total_bytes: total = 500 * gibibyte, avail_bytes: avail, bytes_per_second: speed, ...more } = others;
    const { lock_seconds: lockSeconds, ...options } = more;
    const stored: Storage = {
      storage,
      type,
      options: {
        ...Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)])),
        ...defined({ content: content?.join(","), nodes: nodes?.join(",") }),
        ...(shared === 1 || (shared === 0 && active === undefined) ? { shared: String(shared) } : {}),
        ...(enabled === 0 ? { disable: "1" } : {}),
      },
      capacity: { total, used: total - (avail ?? total) },
      speed: speed ?? defaultBytesPerSecond,
      ...(lockSeconds !== undefined && { lockSeconds }),
      ...(active === 0 && enabled !== 0 && { inactive: true }),
    };
    world.storages[storage] = stored;
  }
}

/** What is free is free beside the volumes of the seed; of a storage that every node has alone, those of the fullest. */
function countVolumes(world: World): void {
  for (const storage of Object.values(world.storages)) {
    const { used, total } = storage.capacity;
    const empty = { ...storage, capacity: { total, used: 0 } };
    const taken = Object.keys(world.nodes).map((node) => storageUsage(world, empty, node).used);
    storage.capacity.used = Math.max(0, used - Math.max(...taken));
  }
}

type SeedNode = NonNullable<Seed["nodes"]>[number];
type SeedDisk = NonNullable<SeedNode["disks"]>[number];

function disk({ devpath, size, model, serial, type, used }: SeedDisk): NodeDisk {
  const named = { model: model ?? "DISK", serial: serial ?? devpath.replaceAll("/", "-"), type: type ?? "ssd" };
  return { devpath, size, ...named, ...(used === undefined ? {} : { used }) };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without undefined members. */
function defined<T extends object>(object: T, only?: readonly (keyof T)[]): Defined<T> {
  const entries = Object.entries(object).filter(
    ([key, value]) => value !== undefined && (only === undefined || only.includes(key as keyof T)),
  );
  return Object.fromEntries(entries) as Defined<T>;
}
