import { type Parsed, parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import { parseSize } from "../../core/schema/size.ts";
import type { Section } from "../../core/world/guest.ts";
import {
  anyDriveFormat,
  anyDriveRequestFormat,
  driveFormats,
  driveRequestFormats,
  driveSlots,
  unusedFormat,
} from "./drive-formats.ts";
import { isTrue } from "./perl.ts";

// Drives as values: qemu-server `src/PVE/QemuServer/Drive.pm`.

/** The keys of a drive's property string. `size` is in bytes. */
export interface Drive {
  file: string;
  media?: string;
  size?: string;
  format?: string;
  version?: string;
  [key: string]: string | undefined;
}

/** `local-lvm:32`, or `32` on the default storage: a new disk of that many GiB. */
export const newDiskPattern = /^(?:([^/:\s]+):)?(\d+(?:\.\d+)?)$/;

/** A burst requires its base limit; PVE misspells three of them as `miops*`, so these never apply. */
const requirements = [
  ["mbps_max", "mbps"],
  ["mbps_rd_max", "mbps_rd"],
  ["mbps_wr_max", "mbps_wr"],
  ["bps_max_length", "mbps_max"],
  ["bps_rd_max_length", "mbps_rd_max"],
  ["bps_wr_max_length", "mbps_wr_max"],
  ["iops_max_length", "iops_max"],
  ["iops_rd_max_length", "iops_rd_max"],
  ["iops_wr_max_length", "iops_wr_max"],
] as const;

/** A limit in both directions excludes one in each direction. */
const exclusions = [
  ["mbps_rd", "mbps"],
  ["mbps_wr", "mbps"],
  ["iops_rd", "iops"],
  ["iops_wr", "iops"],
] as const;

/** From old configurations. */
const droppedKeys = /(^|,)(?:cyls|heads|secs|trans)=[^,]*/g;

/** `parse_drive`; undefined where PVE only warns. `asRequest` also accepts `import-from`. */
export function parseDrive(slot: string, text: string, asRequest = false): Drive | undefined {
  const bus = slot.replace(/\d+$/, "");
  const format = bus === "unused" ? unusedFormat : (asRequest ? driveRequestFormats : driveFormats)[bus];
  if (format === undefined) {
    return undefined;
  }
  let keys: Parsed;
  try {
    keys = parsePropertyString(format, text.replace(droppedKeys, "$1"));
  } catch {
    return undefined;
  }
  const drive = convertByteLimits(keys);
  const isConsistent =
    drive !== undefined &&
    requirements.every(([key, needed]) => !isTrue(drive[key]) || isTrue(drive[needed])) &&
    exclusions.every(([one, both]) => !isTrue(drive[one]) || !isTrue(drive[both]));
  if (!isConsistent) {
    return undefined;
  }
  if (drive.media === "cdrom" && (isTrue(drive["snapshot"]) || isTrue(drive.format) || bus === "virtio")) {
    return undefined;
  }
  return isTrue(drive.size) ? { ...drive, size: String(parseSize(drive.size ?? "")) } : drive;
}

/** Converts bytes per second to megabytes; PVE only checks that the key is present, so the result is always 0.000. */
function convertByteLimits({ bps, bps_rd, bps_wr, ...keys }: Parsed): Drive | undefined {
  const drive: Drive = { file: "", ...keys };
  for (const [key, value] of Object.entries({ mbps: bps, mbps_rd: bps_rd, mbps_wr: bps_wr })) {
    if (value !== undefined && drive[key] !== undefined) {
      return undefined;
    }
    if (value !== undefined) {
      drive[key] = "0.000";
    }
  }
  return drive;
}

/** `print_drive`: the volume first, then the keys in alphabetical order. */
export function printDrive(drive: Drive, asRequest = false): string {
  const keys = Object.fromEntries(
    Object.entries(drive).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return printPropertyString(asRequest ? anyDriveRequestFormat : anyDriveFormat, keys);
}

const imageFormat = "(?:raw|qcow|qcow2|qed|vmdk|cloop)";
const cloudInitVolume = new RegExp(`[:/](?:vm-\\d+-)?cloudinit(?:\\.${imageFormat})?$`);

export function isCloudInit(drive: Drive): boolean {
  return cloudInitVolume.test(drive.file);
}

/** The cloud-init drive is also a CD drive. */
export function isCdrom(drive: Drive): boolean {
  return drive.media === "cdrom";
}

export function isOrdinaryCdrom(drive: Drive): boolean {
  return isCdrom(drive) && !isCloudInit(drive);
}

/** `foreach_volume`: all readable drives, in PVE's order of slots. */
export function drivesOf(section: Section): [slot: string, drive: Drive][] {
  return driveSlots.flatMap((slot): [string, Drive][] => {
    const drive = section[slot] === undefined ? undefined : parseDrive(slot, section[slot]);
    return drive === undefined ? [] : [[slot, drive]];
  });
}

/** The slots of detached disks. */
export function unusedDrivesOf(section: Section): [slot: string, drive: Drive][] {
  return Object.entries(section).flatMap(([key, value]): [string, Drive][] => {
    const drive = /^unused\d+$/.test(key) ? parseDrive(key, value) : undefined;
    return drive === undefined ? [] : [[key, drive]];
  });
}

/** `has_cloudinit`: the slot of a cloud-init drive, except the given one. */
export function cloudInitSlot(section: Section, except?: string): string | undefined {
  return drivesOf(section).find(([slot, drive]) => slot !== except && isCloudInit(drive))?.[0];
}
