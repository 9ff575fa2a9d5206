import { die } from "../core/kernel/failure.ts";
import type { World } from "../core/world/world.ts";
import { getStorage, isShared } from "../storage/storages.ts";
import { findVolumeId } from "../storage/volume-name.ts";
import { describeVolume, hasFeature } from "../storage/volumes.ts";

/** The guest's own volumes on local storage that it can replicate; dies if one cannot be replicated. */
export function replicated(world: World, vmid: number, volumes: readonly string[]): string[] {
  return volumes.filter((volume) => {
    const storage = findVolumeId(volume)?.storage;
    if (storage === undefined) {
      die(`unable to replicate local file/device '${volume}'`);
    }
    if (isShared(getStorage(world, storage)) || describeVolume(world, volume).vmid !== vmid) {
      return false;
    }
    if (!hasFeature(world, "replicate", volume)) {
      die(`missing replicate feature on volume '${volume}'`);
    }
    return true;
  });
}
