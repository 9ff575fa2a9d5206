import { die } from "../core/kernel/failure.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { pluginOf } from "./plugins.ts";
import { checkGrowth } from "./space.ts";
import { getActiveStorage, isShared } from "./storages.ts";
import { parseVolumeId } from "./volume-name.ts";
import {
  addVolume,
  describeVolume,
  findVolume,
  freeDiskName,
  pathOf,
  removeVolume,
  roundToUnit,
  volumesOn,
} from "./volumes.ts";

/*
 * Operations on existing disk images: linked clone, base image, resize, rename, snapshot, removal; pure functions over
 * the world, after the plugins of pve-storage. `node` is the node on which the code runs.
 */

/** `activate_volumes` of one volume: LVM does not check the form of its name. */
export function activateVolume(world: World, volid: string, node: string): void {
  const { storage: id, volname } = parseVolumeId(volid);
  const { options } = getActiveStorage(world, id, node);
  if (findVolume(world, volid, node) === undefined && options["vgname"] !== undefined) {
    die(`no such logical volume ${options["vgname"]}/${volname}`);
  }
  getImage(world, volid, node);
}

/** The volume (`activate_volumes`), or the error of the tools if it does not exist. */
export function getImage(world: World, volid: string, node: string): Volume {
  const volume = findVolume(world, volid, node);
  if (volume !== undefined) {
    return volume;
  }
  const { storage, name } = describeVolume(world, volid);
  switch (pluginOf(storage).naming) {
    case "lvm":
    case "lvmthin":
      return die(`no such logical volume ${storage.options["vgname"] ?? ""}/${name}`);
    case "zfs":
    case "rbd":
      return failMissing(world, volid);
    case "directory":
    case "none":
      return die(`volume '${volid}' does not exist`);
  }
}

/** The error of `volume_size_info` for a volume that does not exist. */
export function failMissing(world: World, volid: string): never {
  const { storage, name } = describeVolume(world, volid);
  const { vgname = "", pool = "rbd" } = storage.options;
  const path = pathOf(world, volid);
  switch (pluginOf(storage).naming) {
    case "lvm":
    case "lvmthin":
      return die(`can't get size of '${path}':   Failed to find logical volume "${vgname}/${name}"`);
    case "zfs":
      return die(`zfs error: cannot open '${pool}/${name}': dataset does not exist`);
    case "rbd":
      return die(`rbd error: rbd: error opening image ${name}: (2) No such file or directory`);
    case "directory":
    case "none":
      return die(`volume_size_info on '${volid}' failed - no format`);
  }
}

/** Renames the image. */
function rename(world: World, volume: Volume, changes: Partial<Volume>): void {
  world.volumes[world.volumes.indexOf(volume)] = { ...volume, ...changes };
}

export interface LinkedClone {
  readonly node: string;
  /** The guest that gets the clone. */
  readonly vmid: number;
  readonly snapshot?: string | undefined;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** `clone_image`: a volume that shares the data of a base image or of a snapshot; returns its id. */
export function cloneImage(world: World, volid: string, { node, vmid, snapshot, now }: LinkedClone): string {
  const source = describeVolume(world, volid);
  const { storage, name, isBase, format } = source;
  const { naming } = pluginOf(storage);
  checkCloneable(source, snapshot);
  const origin = getImage(world, volid, node);
  const overlay = naming === "directory" && storage.type !== "btrfs";
  const clone = freeDiskName(world, storage.storage, node, vmid, overlay ? "qcow2" : format);
  const linked = isBase && snapshot === undefined;
  const names = {
    directory: overlay ? `${source.vmid}/${name}/${vmid}/${clone}` : `${vmid}/${clone}`,
    lvm: clone,
    lvmthin: clone,
    zfs: `${name}/${clone}`,
    rbd: linked ? `${name}/${clone}` : clone,
    none: clone,
  };
  const parent = overlay ? `../${source.vmid}/${name}` : `${name}@${snapshot ?? "__base__"}`;
  addVolume(world, storage, {
    volid: `${storage.storage}:${names[naming]}`,
    node: isShared(storage) ? undefined : node,
    content: "images",
    format: overlay ? "qcow2" : format,
    size: origin.size,
    vmid,
    ...(naming !== "lvmthin" && { parent }),
    ctime: Math.floor(now),
  });
  return `${storage.storage}:${names[naming]}`;
}

function checkCloneable(
  { storage, isBase, format }: { storage: Storage; isBase: boolean; format: string },
  snapshot: string | undefined,
): void {
  const { naming } = pluginOf(storage);
  if (naming === "lvm" || naming === "none") {
    die(`can't clone images in ${storage.type} storage`);
  }
  if (naming === "directory" && storage.type !== "btrfs") {
    if (snapshot !== undefined) {
      die("this storage type does not support clone_image on snapshot");
    }
    if (format === "subvol") {
      die("this storage type does not support clone_image on subvolumes");
    }
  }
  if (!isBase && (snapshot === undefined || naming === "zfs" || naming === "directory")) {
    die("clone_image only works on base images");
  }
}

/** `create_base`: turns an image into a base image, which on most storages changes its name; returns the new id. */
export function createBase(world: World, volid: string, node: string): string {
  const { storage, name, vmid, base, isBase, format } = describeVolume(world, volid);
  const { naming } = pluginOf(storage);
  if (naming === "lvm" || naming === "none") {
    die(`can't create base images in ${storage.type} storage`);
  }
  if (isBase) {
    die("create_base not possible with base image");
  }
  const volume = getImage(world, volid, node);
  if (naming === "lvmthin" && volume.snapshots?.[0] !== undefined) {
    die(`unable to create base volume - found snaphost 'snap_${name}_${volume.snapshots[0].name}'`);
  }
  const newName =
    format === "subvol" && naming === "zfs" ? name.replace(/^subvol-/, "basevol-") : name.replace(/^vm-/, "base-");
  const prefix = base === undefined ? "" : naming === "directory" ? `${base.vmid}/${base.name}/` : `${base.name}/`;
  const newId = `${storage.storage}:${prefix}${naming === "directory" ? `${vmid}/` : ""}${newName}`;
  if (findVolume(world, newId, node) !== undefined) {
    die(`file '${pathOf(world, newId)}' already exists`);
  }
  rename(world, volume, { volid: newId });
  return newId;
}

/** `rename_volume`: gives an image to another guest; returns the new id. */
export function reassignImage(world: World, volid: string, node: string, vmid: number): string {
  const { storage, base, format } = describeVolume(world, volid);
  const { naming } = pluginOf(storage);
  const volume = getImage(world, volid, node);
  const name = freeDiskName(world, storage.storage, node, vmid, format);
  const prefix = base === undefined ? "" : naming === "directory" ? `${base.vmid}/${base.name}/` : `${base.name}/`;
  const newId = `${storage.storage}:${prefix}${naming === "directory" ? `${vmid}/` : ""}${name}`;
  rename(world, volume, { volid: newId, vmid });
  return newId;
}

/** `volume_resize`: returns the new size of the image, which may be slightly larger than requested. */
export function resizeImage(world: World, volid: string, node: string, bytes: number): number {
  const { storage, format } = describeVolume(world, volid);
  if (pluginOf(storage).naming === "directory" && format !== "raw" && format !== "qcow2") {
    die("can't resize this image format");
  }
  const volume = getImage(world, volid, node);
  const size = roundToUnit(storage, bytes, format);
  checkGrowth(world, storage, node, volume, size);
  volume.size = size;
  return size;
}

/** A linked clone names its base image, except on LVM-thin. */
export function isBaseInUse(world: World, volid: string, node: string): boolean {
  const { storage, name, vmid, isBase } = describeVolume(world, volid);
  if (!isBase) {
    return false;
  }
  return volumesOn(world, storage.storage, node).some((volume) => {
    const { base } = volume.vmid === undefined ? {} : describeVolume(world, volume.volid);
    return base?.name === name && base.vmid === vmid;
  });
}

/**
 * `vdisk_free` without its lock. A missing volume is not an error for most plugins; the file-based ones report it
 * through `print`.
 */
export function freeImage(world: World, volid: string, node: string, print: (line: string) => void): void {
  const { storage, name } = describeVolume(world, volid);
  const { naming } = pluginOf(storage);
  if (isBaseInUse(world, volid, node)) {
    die(`base volume '${parseVolumeId(volid).volname}' is still in use by linked clones`);
  }
  // An image that is no linked clone any more is listed without its base, and is the same image (RBDPlugin.pm, `free_image`).
  const listed = naming === "rbd" && !findVolume(world, volid, node) ? `${storage.storage}:${name}` : volid;
  const volume = findVolume(world, listed, node);
  if (volume?.protected) {
    die(`cannot remove protected volume '${parseVolumeId(volid).volname}' on '${storage.storage}'`);
  }
  if (volume === undefined && naming === "directory") {
    print(`disk image '${pathOf(world, volid)}' does not exist`);
  }
  if (volume === undefined && naming === "lvm") {
    const logical = `${storage.options["vgname"]}/${name}`;
    die(`lvremove '${logical}' error:   Failed to find logical volume "${logical}"`);
  }
  if (volume === undefined && naming === "rbd") {
    // Its snapshots are listed first (RBDPlugin.pm, `rbd_ls_snap`).
    failMissing(world, volid);
  }
  removeVolume(world, listed, node);
}

/** `volume_snapshot`. */
export function snapshotImage(world: World, volid: string, node: string, name: string): void {
  const { storage, format } = describeVolume(world, volid);
  if (pluginOf(storage).naming === "directory" && format !== "qcow2" && storage.type !== "btrfs") {
    die("can't snapshot this image format");
  }
  const volume = getImage(world, volid, node);
  volume.snapshots = [...(volume.snapshots ?? []), { name, size: volume.size }];
}

/** `volume_rollback_is_possible`, with ZFS's rule that only the latest snapshot can be rolled back to; returns it. */
export function checkRollback(world: World, volid: string, node: string, name: string): { size: number } {
  const { storage } = describeVolume(world, volid);
  const snapshots = getImage(world, volid, node).snapshots ?? [];
  const snapshot =
    snapshots.find((candidate) => candidate.name === name) ??
    die(`can't rollback, snapshot '${name}' does not exist on '${volid}'`);
  if (pluginOf(storage).naming === "zfs" && snapshots.at(-1) !== snapshot) {
    die(`can't rollback, '${name}' is not most recent snapshot on '${volid}'`);
  }
  return snapshot;
}

/** `volume_snapshot_rollback`. */
export function rollbackImage(world: World, volid: string, node: string, name: string): void {
  const { size } = checkRollback(world, volid, node, name);
  getImage(world, volid, node).size = size;
}

/** `volume_snapshot_delete`. */
export function deleteImageSnapshot(world: World, volid: string, node: string, name: string): void {
  const volume = getImage(world, volid, node);
  volume.snapshots = (volume.snapshots ?? []).filter((snapshot) => snapshot.name !== name);
}
