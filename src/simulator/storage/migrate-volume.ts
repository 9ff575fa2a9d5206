import type { Process } from "../core/kernel/process.ts";
import { getImage } from "./images.ts";
import { pluginOf } from "./plugins.ts";
import { copySeconds, getStorage, isShared, resolveFormat } from "./storages.ts";
import { parseVolumeId } from "./volume-name.ts";
import { addVolume, allocateVolume, describeVolume, findVolume, removeVolume } from "./volumes.ts";

export interface VolumeMigration {
  /** The target node. */
  readonly target: string;
  readonly storage: string;
  readonly vmid: number;
  /** The copy may have the same name; not possible where a running guest writes to both. */
  readonly keepName: boolean;
}

/** `storage_migrate` of pve-storage `src/PVE/Storage.pm`: copies a volume; returns its id on the target. */
export async function migrateVolume(
  process: Process,
  volid: string,
  { target, storage, vmid, keepName }: VolumeMigration,
): Promise<string> {
  const { world, clock } = process.sim;
  const volume = getImage(world, volid, process.node);
  const from = describeVolume(world, volid).storage;
  const to = getStorage(world, storage);
  const node = isShared(to) ? undefined : target;
  const sameName = `${storage}:${parseVolumeId(volid).volname}`;
  await process.sleep(copySeconds(volume.size, from, to));
  const isFree = findVolume(world, sameName, target) === undefined;
  if (keepName && isFree && pluginOf(from).naming === pluginOf(to).naming) {
    addVolume(world, to, { ...volume, volid: sameName, node });
    return sameName;
  }
  const format = resolveFormat(to, volume.format);
  return allocateVolume(world, { storage, node: target, vmid, format, size: volume.size, now: clock.stamp() });
}

/** Updates the copy that replication keeps on the other node; the volume on this node becomes the copy. */
export async function syncReplica(process: Process, volid: string, target: string): Promise<void> {
  const { world } = process.sim;
  const volume = getImage(world, volid, process.node);
  await process.sleep(1);
  removeVolume(world, volid, target);
  addVolume(world, describeVolume(world, volid).storage, { ...volume, volid, node: target });
}
