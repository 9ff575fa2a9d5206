import { die } from "../core/kernel/failure.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { storageUsage, takesWholeSize } from "./usage.ts";
import { findVolume, putFile } from "./volumes.ts";

// Space on storages: thick volumes use their size when they are created, thin ones and files what is written to them.

const extent = 4 * 2 ** 20;

export function freeBytes(world: World, storage: Storage, node: string): number {
  const { total, used } = storageUsage(world, storage, node);
  return total - used;
}

/** The errors of the tools if there is no space for a new volume. */
export function checkRoom(
  world: World,
  storage: Storage,
  node: string,
  { name, format, size }: { name: string; format: string; size: number },
): void {
  const free = freeBytes(world, storage, node);
  if (!takesWholeSize(storage, format) || size <= free) {
    return;
  }
  const { vgname, pool, path } = storage.options;
  if (storage.type === "lvm") {
    const [left, needed] = [Math.floor(free / extent), Math.ceil(size / extent)];
    const reason = `Volume group "${vgname}" has insufficient free space (${left} extents): ${needed} required.`;
    die(`lvcreate '${vgname}/${name}' error:   ${reason}`);
  }
  if (storage.type === "zfspool") {
    die(`zfs error: cannot create '${pool}/${name}': out of space`);
  }
  die(`unable to create image: qemu-img: ${path}/images/${name}: Could not resize file: No space left on device`);
}

/** The same for a growing volume. */
export function checkGrowth(world: World, storage: Storage, node: string, volume: Volume, size: number): void {
  const free = freeBytes(world, storage, node);
  const more = size - volume.size;
  if (!takesWholeSize(storage, volume.format) || more <= free) {
    return;
  }
  const name = volume.volid.replace(/^.*[:/]/, "");
  const { vgname, pool } = storage.options;
  if (storage.type === "lvm") {
    const [left, needed] = [Math.floor(free / extent), Math.ceil(more / extent)];
    const reason = `Insufficient free space: ${needed} extents needed, but only ${left} available`;
    die(`error resizing volume '/dev/${vgname}/${name}':   ${reason}`);
  }
  die(`zfs error: cannot set property for '${pool}/${name}': out of space`);
}

/** The bytes that a copy of this volume contains: the written bytes, or the file of an image. */
export function dataBytes({ used, virtualSize, size }: Volume): number {
  return used ?? (virtualSize === undefined ? 0 : size);
}

/** Writes data to a volume; false if the storage is full. */
export function writeData(world: World, storage: Storage, node: string, volid: string, bytes: number): boolean {
  const volume = findVolume(world, volid, node);
  if (volume === undefined || takesWholeSize(storage, volume.format)) {
    return true;
  }
  const isEnough = bytes - (volume.used ?? 0) <= freeBytes(world, storage, node);
  if (isEnough) {
    volume.used = bytes;
  }
  return isEnough;
}

/** Adds a file that a process has written; dies with `text` if there is no space for it. */
export function putFileChecked(
  world: World,
  storage: Storage,
  node: string,
  volume: Volume,
  text = "No space left on device",
): void {
  const replaced = findVolume(world, volume.volid, node)?.size ?? 0;
  if (volume.size - replaced > freeBytes(world, storage, node)) {
    die(text);
  }
  putFile(world, volume);
}
