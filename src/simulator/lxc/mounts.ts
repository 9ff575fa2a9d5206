import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import { type Parsed, parsePropertyString, printPropertyString } from "../core/schema/property-string.ts";
import { parseSize } from "../core/schema/size.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import type { Storage } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { contentTypes, getStorage } from "../storage/storages.ts";
import { allocateDisk, freeDisk } from "../storage/vdisk.ts";
import { describeVolume, hasFeature, pathOf } from "../storage/volumes.ts";
import { mountPointFormat, rootFormat, unusedFormat } from "./formats.ts";
import { isMountKey, isUnusedKey } from "./options.ts";

// Root file systems and mount points of containers: pve-container `src/PVE/LXC/Config.pm` and `src/PVE/LXC.pm`.

export interface Mount extends Parsed {
  readonly volume: string;
}

/** `<storage>:<GiB>` requests a new volume. */
export const newVolumePattern = /^([^:\s]+):(\d+(?:\.\d+)?)$/;

/** `parse_volume`; the size is in bytes. */
export function parseMount(key: string, text: string): Mount {
  const format = key === "rootfs" ? rootFormat : isUnusedKey(key) ? unusedFormat : mountPointFormat;
  const { size, ...mount } = parsePropertyString(format, text) as Mount;
  return { ...mount, ...(size !== undefined && { size: String(parseSize(size)) }) };
}

/** `print_ct_mountpoint`; sizes are printed from bytes. */
export function printMount(key: string, mount: Parsed): string {
  return printPropertyString(key === "rootfs" ? rootFormat : mountPointFormat, mount);
}

/** `classify_mountpoint`. */
export function mountType({ volume }: Mount): "volume" | "device" | "bind" {
  return volume.startsWith("/dev/") ? "device" : volume.startsWith("/") ? "bind" : "volume";
}

/** `foreach_volume`: the root first, then mount points by number. */
export function mountsOf(section: Section): [key: string, mount: Mount][] {
  const order = (key: string) => (key === "rootfs" ? -1 : Number(key.slice(2)));
  return Object.keys(section)
    .filter(isMountKey)
    .sort((a, b) => order(a) - order(b))
    .map((key) => [key, parseMount(key, section[key] ?? "")]);
}

/** All volumes to which a container refers, including unused ones. */
export function volumesOf(section: Section): string[] {
  const mounted = mountsOf(section).map(([, mount]) => mount);
  const unused = Object.keys(section)
    .filter(isUnusedKey)
    .map((key) => parseMount(key, section[key] ?? ""));
  return [...mounted, ...unused].filter((mount) => mountType(mount) === "volume").map(({ volume }) => volume);
}

/** `is_volume_in_use_by_snapshots`. */
export function isVolumeInSnapshots({ snapshots }: Guest, volume: string): boolean {
  return Object.values(snapshots).some((section) => mountsOf(section).some(([, mount]) => mount.volume === volume));
}

const MiB = 2 ** 20;
const maxUnused = 256;

/** `alloc_disk`: images on directories, file systems on ZFS, block volumes on all others. */
async function allocateRoot(process: Process, storageId: string, vmid: number, size: number): Promise<string> {
  const storage = getStorage(process.sim.world, storageId);
  if (!contentTypes(storage).includes("rootdir")) {
    die(`content type 'rootdir' is not available or configured on storage '${storageId}'`);
  }
  return allocateDisk(process, { storage: storageId, vmid, format: formatOn(storage, size), size });
}

function formatOn({ type, options }: Storage, size: number): "subvol" | "raw" {
  return type === "zfspool" || (options["path"] !== undefined && size === 0) ? "subvol" : "raw";
}

/** The format of a mount's volume on another storage (`copy_volume`). */
export function mountFormat(world: World, storageId: string, mount: Mount): "subvol" | "raw" {
  return formatOn(getStorage(world, storageId), Number(mount["size"] ?? 0));
}

/** `create_disks` for one mount: allocates a missing volume and returns the value to store. */
export async function createMount(process: Process, vmid: number, key: string, text: string): Promise<string> {
  const mount = parseMount(key, text);
  const [, storage, gigabytes] = newVolumePattern.exec(mount.volume) ?? [];
  if (storage === undefined) {
    return printMount(key, mount);
  }
  const size = Math.trunc(Number(gigabytes) * 1024) * MiB;
  const volume = await allocateRoot(process, storage, vmid, size);
  return printMount(key, { ...mount, volume, size: String(size) });
}

/** `mount_all`, as far as it can fail here: a mounted device must be a device; directories are assumed to exist. */
export function mountAll({ sim, node }: Process, vmid: number, config: Section): void {
  for (const [key, mount] of mountsOf(config)) {
    const isVolumePath = sim.world.volumes.some(
      (volume) => (volume.node ?? node) === node && pathOf(sim.world, volume.volid) === mount.volume,
    );
    if (mountType(mount) === "device" && !isVolumePath) {
      const target = `/var/lib/lxc/${vmid}/rootfs/${key === "rootfs" ? "" : mount["mp"]}`;
      die(`command 'mount ${mount.volume} ${target}' failed: exit code 32`);
    }
  }
}

/** `delete_mountpoint_volume`: deletes only the container's own volumes. */
export async function removeVolume(process: Process, vmid: number, volume: string): Promise<void> {
  if (volume.startsWith("/")) {
    return;
  }
  if (describeVolume(process.sim.world, volume).vmid === vmid) {
    await freeDisk(process, volume);
  } else {
    process.print(`ignore deletion of '${volume}', CT ${vmid} isn't the owner!`);
  }
}

/** `add_unused_volume`: stores a volume under the lowest free number. */
export function parkVolume(config: Section, volume: string): void {
  const keys = Array.from({ length: maxUnused }, (_, index) => `unused${index}`);
  if (keys.some((key) => config[key] === volume)) {
    return;
  }
  const free = keys.find((key) => config[key] === undefined);
  config[free ?? die("Too many unused volumes - please delete them first.")] = volume;
}

/** The part of `write_pct_config` about unused volumes: removes those that are mounted. */
export function dropMountedUnused(config: Section): void {
  const mounted = new Set(mountsOf(config).map(([, { volume }]) => volume));
  for (const key of Object.keys(config)) {
    if (isUnusedKey(key) && mounted.has(config[key] ?? "")) {
      delete config[key];
    }
  }
}

/** Dies unless the storage of a mount may contain containers. */
export function checkMountStorage(world: World, mount: Mount): void {
  const storage = mount.volume.split(":")[0] ?? "";
  if (!contentTypes(getStorage(world, storage)).includes("rootdir")) {
    die(`storage '${storage}' does not allow content type 'rootdir' (Container)`);
  }
}

/** Whether a clone can be linked to a volume. That of a file is a qcow2 image, which containers cannot use. */
export function isLinkable(world: World, volume: string, snapshot?: string): boolean {
  const { storage, format } = describeVolume(world, volume);
  const isFile = storage.options["path"] !== undefined && storage.type !== "btrfs";
  return !isFile && (format === "raw" || format === "subvol") && hasFeature(world, "clone", volume, snapshot);
}
