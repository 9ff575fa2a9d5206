import { emptyWorld } from "../../../../src/simulator/core/world/empty.ts";
import type { World } from "../../../../src/simulator/core/world/world.ts";

/** A world with one storage of each kind and nothing on them. */
export function storageWorld(more: Record<string, { type: string; options: Record<string, string> }> = {}): World {
  const world = emptyWorld();
  const definitions = {
    dir: { type: "dir", options: { path: "/srv/dir" } },
    nfs: { type: "nfs", options: { path: "/mnt/pve/nfs" } },
    thin: { type: "lvmthin", options: { vgname: "pve", thinpool: "data" } },
    lvm: { type: "lvm", options: { vgname: "pve" } },
    zfs: { type: "zfspool", options: { pool: "tank/vms" } },
    rbd: { type: "rbd", options: { pool: "vms" } },
    btrfs: { type: "btrfs", options: { path: "/srv/btrfs" } },
    ...more,
  };
  for (const [storage, definition] of Object.entries(definitions)) {
    world.storages[storage] = { storage, ...definition, capacity: { total: 2 ** 40, used: 0 }, speed: 1e9 };
  }
  return world;
}
