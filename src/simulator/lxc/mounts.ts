import { die } from "../kernel/failure.ts";
import type { Process } from "../kernel/process.ts";
import { type Parsed, parsePropertyString, printPropertyString } from "../schema/property-string.ts";
import { parseSize } from "../schema/size.ts";
import { contentTypes, getStorage } from "../storage/storages.ts";
import { allocateDisk, freeDisk } from "../storage/vdisk.ts";
import { describeVolume } from "../storage/volumes.ts";
import type { Guest, Section } from "../world/guest.ts";
import type { World } from "../world/world.ts";
import { mountPointFormat, rootFormat, unusedFormat } from "./formats.ts";
import { isMountKey, isUnusedKey } from "./options.ts";

// Root file systems and mount points of containers: pve-container `src/PVE/LXC/Config.pm` and `src/PVE/LXC.pm`.

export interface Mount extends Parsed {
  readonly volume: string;
}

/** `<storage>:<GiB>` asks for a new volume. */
export const newVolumePattern = /^([^:\s]+):(\d+(?:\.\d+)?)$/;

/** `parse_volume`; the size is in bytes then. */
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

/** Volumes a container refers to, unused ones included. */
export function volumesOf(section: Section): string[] {
  const mounted = mountsOf(section).map(([, mount]) => mount);
  const unused = Object.keys(section)
    .filter(isUnusedKey)
    .map((key) => parseMount(key, section[key] ?? ""));
  return [...mounted, ...unused].filter((mount) => mountType(mount) === "volume").map(({ volume }) => volume);
}

const MiB = 2 ** 20;

/** `alloc_disk`: directories keep images, ZFS file systems, everything else block volumes. */
async function allocateRoot(process: Process, storageId: string, vmid: number, size: number): Promise<string> {
  const storage = getStorage(process.sim.world, storageId);
  if (!contentTypes(storage).includes("rootdir")) {
    die(`content type 'rootdir' is not available or configured on storage '${storageId}'`);
  }
  const isDirectory = storage.options["path"] !== undefined;
  const format = storage.type === "zfspool" || (isDirectory && size === 0) ? "subvol" : "raw";
  return allocateDisk(process, { storage: storageId, vmid, format, size });
}

/** `create_disks` for one mount: allocates what does not exist yet and returns the value to store. */
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

/** `delete_mountpoint_volume`: only a container's own volumes. */
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

/** `add_unused_volume`: parks a volume under the lowest free number. */
export function parkVolume({ config }: Guest, volume: string): void {
  if (volumesOf(config).includes(volume)) {
    return;
  }
  const key = Array.from({ length: 256 }, (_, index) => `unused${index}`).find((name) => config[name] === undefined);
  config[key ?? die("Too many unused volumes - please delete them first.")] = volume;
}

/** Dies unless a mount's storage may hold containers. */
export function checkMountStorage(world: World, mount: Mount): void {
  const storage = mount.volume.split(":")[0] ?? "";
  if (!contentTypes(getStorage(world, storage)).includes("rootdir")) {
    die(`storage '${storage}' does not allow content type 'rootdir' (Container)`);
  }
}
