import type { Simulation } from "../core/kernel/simulation.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { contentTypes, isShared } from "./storages.ts";
import { volumesOn } from "./volumes.ts";

/** Images whose whole size is reserved at creation: thick LVM, ZFS that is not sparse, preallocated files. */
export function takesWholeSize({ type, options }: Storage, format: string): boolean {
  if (type === "zfspool") {
    return options["sparse"] !== "1" && format !== "subvol";
  }
  return type === "lvm" || (format === "raw" && /^(?:full|falloc)$/.test(options["preallocation"] ?? ""));
}

/** Total and used bytes, as on that node. Thick volumes use their whole size, thin ones the written bytes. */
export function storageUsage(world: World, storage: Storage, nodeName: string): { total: number; used: number } {
  const taken = volumesOn(world, storage.storage, nodeName).reduce((sum, { content, format, size, used }) => {
    const isImage = content === "images" || content === "rootdir";
    return sum + (isImage && !takesWholeSize(storage, format) ? (used ?? 0) : size);
  }, 0);
  const { total, used } = storage.capacity;
  return { total, used: Math.min(total, used + taken) };
}

/** `extract_storage_stats` of pve-manager `PVE/API2Tools.pm`: a storage as `/cluster/resources` and pools list it. */
export function storageResource(sim: Simulation, storage: Storage, node: string): Record<string, unknown> {
  const { world, statistics } = sim;
  const isKnown = (world.nodes[node]?.online ?? false) && statistics.ofNode(node) !== undefined;
  const { total, used } = storageUsage(world, storage, node);
  return {
    id: `storage/${node}/${storage.storage}`,
    type: "storage",
    storage: storage.storage,
    node,
    plugintype: storage.type,
    shared: isShared(storage) ? 1 : 0,
    content: contentTypes(storage).join(","),
    status: isKnown ? "available" : "unknown",
    ...(isKnown && { maxdisk: total, disk: used }),
  };
}
