import { storageLock } from "../kernel/locks.ts";
import type { Process } from "../kernel/process.ts";
import { cloneImage, createBase, freeImage, reassignImage } from "./images.ts";
import { copySeconds, getEnabledStorage, getStorage, imageFormats, isShared } from "./storages.ts";
import { parseVolumeId } from "./volume-name.ts";
import { allocateVolume, volumeSize } from "./volumes.ts";

/*
 * PVE::Storage's `vdisk_*`: the same operations as in volumes.ts and images.ts, done by a process, so under the storage's
 * lock (`cluster_lock_storage`, 10 s) and taking the time they take.
 */

function underLock<T>(process: Process, id: string, body: () => T | Promise<T>): Promise<T> {
  return process.lock(storageLock(id, isShared(getStorage(process.sim.world, id))), {}, body);
}

export interface NewDisk {
  readonly storage: string;
  readonly vmid: number;
  /** The storage's default when absent. */
  readonly format?: string | undefined;
  readonly name?: string | undefined;
  /** Bytes. */
  readonly size: number;
}

/** `vdisk_alloc`: returns the new volume's id. */
export async function allocateDisk(process: Process, disk: NewDisk): Promise<string> {
  const { world, clock } = process.sim;
  const storage = getEnabledStorage(world, disk.storage, process.node);
  const format = disk.format ?? imageFormats(storage).default;
  return underLock(process, disk.storage, () =>
    allocateVolume(world, { ...disk, format, node: process.node, now: clock.stamp() }),
  );
}

/** `vdisk_clone`: a linked clone; the lock is held for all of it. */
export async function cloneDisk(process: Process, volid: string, vmid: number, snapshot?: string): Promise<string> {
  const { world, clock } = process.sim;
  return underLock(process, parseVolumeId(volid).storage, () =>
    cloneImage(world, volid, { node: process.node, vmid, snapshot, now: clock.stamp() }),
  );
}

/** A full copy: allocates under the lock, then takes as long as the bytes need. Returns the new volume's id. */
export async function copyDisk(
  process: Process,
  source: string,
  target: Omit<NewDisk, "size"> & { readonly size?: number },
): Promise<string> {
  const { world } = process.sim;
  const size = target.size ?? volumeSize(world, source, process.node) ?? 0;
  const copy = await allocateDisk(process, { ...target, size });
  const from = getStorage(world, parseVolumeId(source).storage);
  await process.sleep(copySeconds(size, from, getStorage(world, target.storage)));
  return copy;
}

/** `vdisk_create_base`: returns the base image's id. */
export async function createBaseDisk(process: Process, volid: string): Promise<string> {
  return underLock(process, parseVolumeId(volid).storage, () => createBase(process.sim.world, volid, process.node));
}

/** `rename_volume`: gives the disk to another guest and returns its new id. */
export async function reassignDisk(process: Process, volid: string, vmid: number): Promise<string> {
  return underLock(process, parseVolumeId(volid).storage, () =>
    reassignImage(process.sim.world, volid, process.node, vmid),
  );
}

/** `vdisk_free`. With `saferemove` the wiping of a logical volume is a task of its own. */
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
