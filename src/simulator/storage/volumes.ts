import { die } from "../core/kernel/failure.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { namesOfPlace, underName } from "./place.ts";
import { type ImageFormat, pluginOf, type VolumeFeature } from "./plugins.ts";
import { getStorage, imageFormats, isShared } from "./storages.ts";
import { findVolumeId, parseVolumeId, parseVolumeName, type VolumeName, volumePath } from "./volume-name.ts";

/*
 * Volumes as pure functions over the world, after PVE::Storage and its plugins. `node` is the node on which the code
 * runs: a storage that is not shared has separate volumes on each. Locks and durations are in vdisk.ts.
 */

const KiB = 1024;
const MiB = 1024 * KiB;

/** Each guest has at most this many volumes on a storage (Plugin.pm). */
const maxVolumesPerGuest = 1024;

function isOn(volume: Volume, node: string): boolean {
  return volume.node === undefined || volume.node === node;
}

/** The volume, under whichever name of its place it is kept. */
export function findVolume(world: World, volid: string, node: string): Volume | undefined {
  const named = (id: string) => world.volumes.find((volume) => volume.volid === id && isOn(volume, node));
  const [storage = ""] = volid.split(":", 1);
  const others = namesOfPlace(world, storage).slice(1);
  return named(volid) ?? others.map((other) => named(other + volid.slice(storage.length))).find(Boolean);
}

/** Volumes of a storage on that node, optionally only those of one guest. */
export function volumesOn(world: World, storage: string, node: string, vmid?: number): Volume[] {
  return volumesIn(world, storage).filter(
    (volume) => isOn(volume, node) && (vmid === undefined || volume.vmid === vmid),
  );
}

/** Volumes of a storage on every node, under its name. */
export function volumesIn(world: World, storage: string): Volume[] {
  const names = new Set([storage, ...namesOfPlace(world, storage)]);
  return world.volumes
    .filter(({ volid }) => names.has(volid.slice(0, volid.indexOf(":"))))
    .map((volume) => (volume.volid.startsWith(`${storage}:`) ? volume : underName(volume, storage)));
}

/** `parse_volname` for a volume id. */
export function describeVolume(world: World, volid: string): VolumeName & { readonly storage: Storage } {
  const { storage: id, volname } = parseVolumeId(volid);
  const storage = getStorage(world, id);
  return { storage, ...parseVolumeName(storage, volname) };
}

/** The path of a volume id on the host. */
export function pathOf(world: World, volid: string): string {
  const { storage, volname } = parseVolumeId(volid);
  return volumePath(getStorage(world, storage), volname);
}

/** `volume_size_info`: undefined if the volume does not exist. */
export function volumeSize(world: World, volid: string, node: string): number | undefined {
  const volume = findVolume(world, volid, node);
  return volume?.virtualSize ?? volume?.size;
}

/** `volume_has_feature`; false for texts that are not volume ids. */
export function hasFeature(world: World, feature: VolumeFeature, volid: string, snapshot?: string): boolean {
  if (findVolumeId(volid) === undefined) {
    return false;
  }
  const { storage, isBase, format } = describeVolume(world, volid);
  const state = snapshot !== undefined ? "snap" : isBase ? "base" : "current";
  return pluginOf(storage).features[feature]?.[state]?.includes(format as ImageFormat) ?? false;
}

/** Volume names that share a namespace: LVM checks the whole volume group, RBD the whole pool. */
function rivalNames(world: World, storage: Storage, node: string, vmid: number): string[] {
  const { naming } = pluginOf(storage);
  if (naming === "rbd") {
    return volumesOn(world, storage.storage, node).map(({ volid }) => volid);
  }
  if (naming !== "lvm" && naming !== "lvmthin") {
    return volumesOn(world, storage.storage, node, vmid).map(({ volid }) => volid);
  }
  const group = storage.options["vgname"];
  return Object.values(world.storages)
    .filter(({ options }) => options["vgname"] === group)
    .flatMap(({ storage: id }) => volumesOn(world, id, node, vmid))
    .map(({ volid }) => volid);
}

/** `find_free_diskname`: the lowest free number for that guest. */
export function freeDiskName(world: World, id: string, node: string, vmid: number, format: string): string {
  const storage = getStorage(world, id);
  const { naming, formats } = pluginOf(storage);
  const suffix = naming === "directory" || (naming === "lvm" && format === "qcow2") ? `.${format}` : "";
  // Types with subvolumes count every format, the others only names with the same extension.
  const pattern = new RegExp(
    formats.includes("subvol")
      ? `(?:vm|base|subvol|basevol)-${vmid}-disk-(\\d+)`
      : `(?:vm|base)-${vmid}-disk-(\\d+)${suffix}`,
  );
  const taken = new Set(rivalNames(world, storage, node, vmid).map((volid) => Number(pattern.exec(volid)?.[1] ?? -1)));
  for (let number = 0; number < maxVolumesPerGuest; number++) {
    if (!taken.has(number)) {
      return `${format === "subvol" ? "subvol" : "vm"}-${vmid}-disk-${number}${suffix}`;
    }
  }
  return die(`unable to allocate an image name for VM ${vmid} in storage '${id}'`);
}

/** The allocated bytes of a volume: LVM uses extents of 4 MiB, ZFS and RBD whole MiB, files whole KiB. */
export function roundToUnit(storage: Storage, bytes: number, format: string): number {
  const units = { lvm: 4 * MiB, lvmthin: 4 * MiB, zfs: format === "subvol" ? KiB : MiB, rbd: MiB } as const;
  const { naming } = pluginOf(storage);
  const unit = naming === "directory" || naming === "none" || format === "qcow2" ? KiB : units[naming];
  return Math.ceil(bytes / unit) * unit;
}

export interface Allocation {
  readonly storage: string;
  readonly node: string;
  readonly vmid: number;
  readonly format: string;
  /** For volumes with a fixed name such as the cloud-init drive. */
  readonly name?: string | undefined;
  /** Bytes; rounded up to the unit of the storage. */
  readonly size: number;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** `alloc_image`: a new, empty volume; returns its id. */
export function allocateVolume(world: World, request: Allocation): string {
  const { storage: id, node, vmid, format } = request;
  const storage = getStorage(world, id);
  const { naming } = pluginOf(storage);
  const name = request.name ?? freeDiskName(world, id, node, vmid, format);
  checkAllocation(storage, { name, vmid, format, size: request.size });
  const volname = naming === "directory" ? `${vmid}/${name}` : name;
  addVolume(world, storage, {
    volid: `${id}:${volname}`,
    node: isShared(storage) ? undefined : node,
    content: "images",
    format,
    size: roundToUnit(storage, request.size, format),
    vmid,
    ctime: Math.floor(request.now),
  });
  return `${id}:${volname}`;
}

/** The refusals of each plugin before it creates anything. */
function checkAllocation(
  storage: Storage,
  { name, vmid, format, size }: { name: string; vmid: number; format: string; size: number },
): void {
  const prefix = format === "subvol" ? "subvol" : "vm";
  switch (pluginOf(storage).naming) {
    case "directory": {
      const { format: extension } = parseVolumeName(storage, `${vmid}/${name}`);
      if (extension !== format) {
        die(`illegal name '${name}' - wrong extension for format ('${extension} != '${format}')`);
      }
      if (format === "subvol" && size !== 0) {
        die("storage does not support subvol quotas");
      }
      return;
    }
    case "lvm":
      if (parseVolumeName(storage, name).format !== format && (format === "raw" || format === "qcow2")) {
        const plain = name.replace(/\.[^.]+$/, "");
        const requested = format === "qcow2" ? `${plain}.qcow2` : plain;
        die(`volume name '${name}' does not match requested format '${format}' (did you mean '${requested}'?)`);
      }
      requireFormat(format, imageFormats(storage).valid);
      return;
    case "lvmthin":
      requireFormat(format, ["raw"]);
      requireName(name, `vm-${vmid}-`);
      return;
    case "zfs":
      requireFormat(format, ["raw", "subvol"]);
      requireName(name, `${prefix}-${vmid}-`);
      return;
    case "rbd":
      requireName(name, `vm-${vmid}-`);
      return;
    case "none":
      die("can't allocate space in this storage");
  }
}

function requireFormat(format: string, known: readonly string[]): void {
  if (!known.includes(format)) {
    die(`unsupported format '${format}'`);
  }
}

function requireName(name: string, prefix: string): void {
  if (!name.startsWith(prefix)) {
    die(`illegal name '${name}' - should be '${prefix}*'`);
  }
}

/** Adds a volume; for an existing name, dies with the error of the tools. */
export function addVolume(world: World, storage: Storage, volume: Volume): void {
  if (findVolume(world, volume.volid, volume.node ?? "") !== undefined) {
    const { volname } = parseVolumeId(volume.volid);
    const { name } = parseVolumeName(storage, volname);
    const { vgname = "", pool = "rbd" } = storage.options;
    const texts = {
      directory: `disk image '${volumePath(storage, volname)}' already exists`,
      lvm: `lvcreate '${vgname}/${name}' error:   Logical Volume "${name}" already exists in volume group "${vgname}"`,
      zfs: `zfs error: cannot create '${pool}/${name}': dataset already exists`,
      rbd: `rbd create '${name}' error: rbd: create error: (17) File exists`,
    };
    const { naming } = pluginOf(storage);
    die(naming === "lvmthin" ? texts.lvm : naming === "none" ? texts.directory : texts[naming]);
  }
  world.volumes.push(volume);
}

/** Adds a file (ISO, template, import image …); an existing file of that name is overwritten. */
export function putFile(world: World, volume: Volume): void {
  removeVolume(world, volume.volid, volume.node ?? "");
  world.volumes.push(volume);
}

export function removeVolume(world: World, volid: string, node: string): void {
  const volume = findVolume(world, volid, node);
  if (volume !== undefined) {
    world.volumes.splice(world.volumes.indexOf(volume), 1);
  }
}
