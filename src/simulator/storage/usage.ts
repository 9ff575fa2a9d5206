import type { Storage } from "../world/storage.ts";
import type { World } from "../world/world.ts";
import { volumesOn } from "./volumes.ts";

/** Bytes in all and in use, as that node sees them. Thick volumes take their whole size, thin ones what is known of them. */
export function storageUsage(world: World, storage: Storage, nodeName: string): { total: number; used: number } {
  const isThick = storage.type === "lvm";
  const taken = volumesOn(world, storage.storage, nodeName).reduce(
    (sum, { content, size, used }) => sum + (/^(?:images|rootdir)$/.test(content) && !isThick ? (used ?? 0) : size),
    0,
  );
  const { total, used } = storage.capacity;
  return { total, used: Math.min(total, used + taken) };
}
