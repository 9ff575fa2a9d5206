import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import type { Section } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { describeVolume, pathOf } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type Drive, drivesOf, isCdrom, isCloudInit, isOrdinaryCdrom } from "../config/drive.ts";
import { unusedSlots } from "../config/drive-formats.ts";
import { freeQuietly } from "./create-disks.ts";

/** `vm_is_volid_owner`: whether the volume belongs to this VM by its name. */
export function ownsVolume(world: World, vmid: number, volid: string): boolean {
  const volume = findVolumeId(volid);
  if (volume === undefined || world.storages[volume.storage] === undefined) {
    return false;
  }
  return describeVolume(world, volid).vmid === vmid;
}

/** `add_unused_volume`: the lowest free `unusedN`; returns it, or undefined if the volume is listed already. */
export function addUnusedVolume(section: Section, volid: string): string | undefined {
  if (unusedSlots.some((slot) => section[slot] === volid)) {
    return undefined;
  }
  const slot = unusedSlots.find((candidate) => section[candidate] === undefined);
  if (slot === undefined) {
    return die("Too many unused volumes - please delete them first.");
  }
  section[slot] = volid;
  return slot;
}

/** The same for QEMU, which does not keep a detached cloud-init drive. */
export async function keepUnused(process: Process, section: Section, volid: string): Promise<string | undefined> {
  if (/vm-\d+-cloudinit/.test(volid)) {
    process.print(`found unused cloudinit disk '${volid}', removing it`);
    await freeDisk(process, volid);
    return undefined;
  }
  return addUnusedVolume(section, volid);
}

/** `vmconfig_register_unused_drive`: keeps or removes the volume of a detached drive. */
export async function registerUnused(process: Process, vmid: number, conf: VmConfig, drive: Drive): Promise<void> {
  const { world } = process.sim;
  const volume = findVolumeId(drive.file);
  if (isCloudInit(drive)) {
    await freeQuietly(process, [drive.file]);
    conf.cloudinit = {};
  } else if (!isCdrom(drive) && volume !== undefined) {
    if (world.storages[volume.storage] === undefined) {
      process.warn(`storage '${volume.storage}' no longer exists, volume '${drive.file}' will be removed from config`);
    } else if (ownsVolume(world, vmid, drive.file)) {
      addUnusedVolume(conf.config, drive.file);
    }
  }
}

/** `is_volume_in_use`: by another drive of this VM, or by one of its snapshots. */
export function isVolumeInUse(world: World, conf: VmConfig, except: string | undefined, volid: string): boolean {
  const path = pathOf(world, volid);
  const isUsedBy = (section: Section, skipped?: string) =>
    drivesOf(section).some(([slot, drive]) => {
      if (slot === skipped || isCdrom(drive)) {
        return false;
      }
      const volume = findVolumeId(drive.file);
      const isKnown = volume !== undefined && world.storages[volume.storage] !== undefined;
      return drive.file === volid || drive.file === path || (isKnown && pathOf(world, drive.file) === path);
    });
  return isUsedBy(conf.config, except) || Object.values(conf.snapshots).some((snapshot) => isUsedBy(snapshot));
}

/**
 * `try_deallocate_drive`: removes the volume of an `unusedN`, or of a drive whose removal is forced. Returns false if
 * there was nothing to remove.
 */
export async function deallocateDrive(
  process: Process,
  vmid: number,
  conf: VmConfig,
  { slot, drive }: { readonly slot: string; readonly drive: Drive },
): Promise<boolean> {
  const { world } = process.sim;
  if (isOrdinaryCdrom(drive)) {
    return false;
  }
  if (ownsVolume(world, vmid, drive.file)) {
    process.caller.check(`/storage/${findVolumeId(drive.file)?.storage}`, ["Datastore.AllocateSpace"]);
    if (isVolumeInUse(world, conf, slot, drive.file)) {
      die(`unable to delete '${drive.file}' - volume is still in use (snapshot?)`);
    }
    await freeDisk(process, drive.file);
  }
  return true;
}
