import { die } from "../core/kernel/failure.ts";
import { storageLock } from "../core/kernel/locks.ts";
import type { Process } from "../core/kernel/process.ts";
import { cloneImage, createBase, freeImage, reassignImage } from "./images.ts";
import { checkRoom, dataBytes, writeData } from "./space.ts";
import { copySeconds, getActiveStorage, getStorage, imageFormats, isShared } from "./storages.ts";
import { parseVolumeId } from "./volume-name.ts";
import { allocateVolume, findVolume, freeDiskName, roundToUnit, volumeSize } from "./volumes.ts";

/** Seconds that `lvcreate` and `lvremove` take. */
const lvmSeconds = 0.05;

/*
 * PVE::Storage's `vdisk_*`: the operations of volumes.ts and images.ts in a process, with their durations and under the
 * storage's lock (`cluster_lock_storage`, 10 s).
 */

/** The lock is held while the storage's tools work: other operations wait for it. */
function underLock<T>(process: Process, id: string, body: () => T | Promise<T>): Promise<T> {
  const storage = getStorage(process.sim.world, id);
  return process.lock(storageLock(id, isShared(storage)), {}, async () => {
    const seconds = storage.lockSeconds ?? (storage.options["vgname"] === undefined ? 0 : lvmSeconds);
    if (seconds > 0) {
      await process.sim.clock.sleep(seconds);
    }
    return await body();
  });
}

export interface NewDisk {
  readonly storage: string;
  readonly vmid: number;
  /** Undefined: the storage's default. */
  readonly format?: string | undefined;
  readonly name?: string | undefined;
  /** Bytes. */
  readonly size: number;
}

/** `vdisk_alloc`: returns the new volume's id. */
export async function allocateDisk(process: Process, disk: NewDisk): Promise<string> {
  const { world, clock } = process.sim;
  const storage = getActiveStorage(world, disk.storage, process.node);
  const format = disk.format ?? imageFormats(storage).default;
  return underLock(process, disk.storage, () => {
    const name = disk.name ?? freeDiskName(world, disk.storage, process.node, disk.vmid, format);
    const size = roundToUnit(storage, disk.size, format);
    checkRoom(world, storage, process.node, { name, format, size });
    return allocateVolume(world, { ...disk, name, format, node: process.node, now: clock.stamp() });
  });
}

/** `vdisk_clone`: a linked clone; holds the lock for its whole duration. */
export async function cloneDisk(process: Process, volid: string, vmid: number, snapshot?: string): Promise<string> {
  const { world, clock } = process.sim;
  return underLock(process, parseVolumeId(volid).storage, () =>
    cloneImage(world, volid, { node: process.node, vmid, snapshot, now: clock.stamp() }),
  );
}

/** A full copy: allocates under the lock, then waits for the duration of the copy. Returns the new volume's id. */
export async function copyDisk(
  process: Process,
  source: string,
  target: Omit<NewDisk, "size"> & { readonly size?: number },
): Promise<string> {
  const { world } = process.sim;
  const size = target.size ?? volumeSize(world, source, process.node) ?? 0;
  const copy = await allocateDisk(process, { ...target, size });
  const from = getStorage(world, parseVolumeId(source).storage);
  const to = getStorage(world, target.storage);
  await process.sleep(copySeconds(size, from, to));
  const volume = findVolume(world, source, process.node);
  if (volume !== undefined && !writeData(world, to, process.node, copy, dataBytes(volume))) {
    await freeDisk(process, copy);
    die(`command 'rsync --stats -X -A --numeric-ids -aH --whole-file --sparse ...' failed: exit code 11`);
  }
  return copy;
}

/** `vdisk_create_base`: returns the base image's id. */
export async function createBaseDisk(process: Process, volid: string): Promise<string> {
  return underLock(process, parseVolumeId(volid).storage, () => createBase(process.sim.world, volid, process.node));
}

/** `rename_volume`: reassigns the disk to another guest and returns its new id. */
export async function reassignDisk(process: Process, volid: string, vmid: number): Promise<string> {
  return underLock(process, parseVolumeId(volid).storage, () =>
    reassignImage(process.sim.world, volid, process.node, vmid),
  );
}

/** `vdisk_free`. With `saferemove` the wiping of a logical volume is a separate task. */
export async function freeDisk(process: Process, volid: string): Promise<void> {
  const { world } = process.sim;
  const { storage: id, volname } = parseVolumeId(volid);
  const storage = getStorage(world, id);
  const size = volumeSize(world, volid, process.node) ?? 0;
  await underLock(process, id, async () => {
    await process.sim.faults.onDelete(process, storage, volname);
    freeImage(world, volid, process.node, (line) => process.print(line));
  });
  if (storage.type === "lvm" && storage.options["saferemove"] === "1") {
    const path = `/dev/${storage.options["vgname"]}/del-${volname}`;
    process.worker("imgdel", "", async (task) => {
      task.print(`zero-out data on image ${volname} (${path})`);
      await task.sleep(copySeconds(size, storage));
      task.print(`successfully removed volume ${volname} (${storage.options["vgname"]}/del-${volname})`);
    });
  }
}
