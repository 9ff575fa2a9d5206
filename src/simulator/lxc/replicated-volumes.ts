import { die } from "../core/kernel/failure.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { replicated } from "../guests/replicated-volumes.ts";
import { isReplicated } from "../guests/replication-jobs.ts";
import { getStorage, isShared } from "../storage/storages.ts";
import { mountsOf, mountType, parseMount } from "./mounts.ts";
import { isUnusedKey } from "./options.ts";

/** `get_replicatable_volumes` of pve-container `src/PVE/LXC/Config.pm`. */
export function replicatedVolumes(world: World, { vmid, config }: Guest): string[] {
  const mounted = mountsOf(config)
    .map(([, mount]) => mount)
    .filter((mount) => mount["replicate"] !== "0" && (mountType(mount) === "volume" || mount["shared"] !== "1"));
  const unused = Object.keys(config)
    .filter(isUnusedKey)
    .map((key) => parseMount(key, config[key] ?? ""));
  return replicated(
    world,
    vmid,
    [...mounted, ...unused].map(({ volume }) => volume),
  );
}

/** The check of `update_vm` in pve-container `src/PVE/API2/LXC/Config.pm`: only ZFS pools can replicate. */
export function refuseNotReplicated(world: World, vmid: number, set: Section): void {
  if (!isReplicated(world, vmid)) {
    return;
  }
  for (const [, mount] of mountsOf(set)) {
    const storage = mountType(mount) === "volume" ? getStorage(world, mount.volume.split(":")[0] ?? "") : undefined;
    const isCovered = storage !== undefined && (storage.type === "zfspool" || isShared(storage));
    if (mount["replicate"] !== "0" && !isCovered) {
      die("cannot add non-replicatable volume to a replicated VM");
    }
  }
}
