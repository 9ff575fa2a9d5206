import { type DiskPool, getNode } from "../core/world/node.ts";
import type { World } from "../core/world/world.ts";

// What the calls below `/nodes/{node}/disks` show of pools on disks (pve-storage `src/PVE/API2/Disks/*.pm`). Free space
// is not computed: the storages account for volumes.

const metadataSize = 1024 ** 3;

export function poolsOf(world: World, name: string): DiskPool[] {
  const host = getNode(world, name);
  host.diskPools ??= [];
  return host.diskPools;
}

export const poolsOfType = (world: World, here: string, type: DiskPool["type"]): DiskPool[] =>
  poolsOf(world, here).filter((pool) => pool.type === type);

/** A thin pool is in a volume group of its own name, unless it was made by hand. */
const groupOf = ({ name, settings }: DiskPool): string => settings["vg"] ?? name;

/** The volume group that a pool is; null for other pools. */
export const volumeGroup = (pool: DiskPool): string | null => {
  const isGroup = pool.type === "lvm" || (pool.type === "lvmthin" && groupOf(pool) === pool.name);
  return isGroup ? pool.name : null;
};

export function lvmTree(world: World, here: string) {
  const groups = poolsOf(world, here).filter((pool) => volumeGroup(pool) !== null);
  return {
    leaf: 0,
    children: groups.map(({ name, devices, size }) => ({
      name,
      size,
      free: size,
      lvcount: 0,
      leaf: 0,
      children: devices.map((devpath) => ({ name: devpath, size: size / devices.length, free: 0, leaf: 1 })),
    })),
  };
}

export const thinPools = (world: World, here: string) =>
  poolsOfType(world, here, "lvmthin").map((pool) => ({
    lv: pool.name,
    vg: groupOf(pool),
    lv_size: pool.size,
    used: 0,
    metadata_size: metadataSize,
    metadata_used: 0,
  }));

export const directories = (world: World, here: string) =>
  poolsOfType(world, here, "directory").map(({ name, devices, settings }) => ({
    path: `/mnt/pve/${name}`,
    device: devices[0],
    type: settings["filesystem"] ?? "ext4",
    options: "defaults",
    unitfile: `/etc/systemd/system/mnt-pve-${name}.mount`,
  }));

export const zfsPools = (world: World, here: string) =>
  poolsOfType(world, here, "zfs").map(({ name, size }) => ({
    name,
    size,
    alloc: 0,
    free: size,
    frag: 0,
    dedup: 1,
    health: "ONLINE",
  }));

const counters = { state: "ONLINE", read: 0, write: 0, cksum: 0, msg: "" };

/** As `zpool status -P` has it. */
export function zfsStatus({ name, devices, settings }: DiskPool) {
  const children = groupedBy(settings["raidlevel"] ?? "single", devices).map(({ group, members }) => {
    const leaves = members.map((device) => ({ name: device, ...counters, leaf: 1 }));
    return group === null ? leaves : [{ name: group, ...counters, leaf: 0, children: leaves }];
  });
  return {
    name,
    state: "ONLINE",
    errors: "No known data errors",
    leaf: 0,
    children: [{ name, ...counters, leaf: 0, children: children.flat() }],
  };
}

interface Vdev {
  /** Null for disks that belong to no group. */
  readonly group: string | null;
  readonly members: readonly string[];
}

function groupedBy(level: string, devices: readonly string[]): Vdev[] {
  if (level === "single") return [{ group: null, members: devices }];
  if (level !== "raid10") return [{ group: `${level.replace(/^(raidz|draid)$/, "$11")}-0`, members: devices }];
  const pairs = devices.flatMap((device, index) =>
    index % 2 === 0 ? [[device, ...devices.slice(index + 1, index + 2)]] : [],
  );
  return pairs.map((members, index) => ({ group: `mirror-${index}`, members }));
}
