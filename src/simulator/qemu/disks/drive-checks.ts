import type { Caller } from "../../core/access/caller.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import type { World } from "../../core/world/world.ts";
import { checkVolumeAccess } from "../../storage/access.ts";
import { getStorage, holds } from "../../storage/storages.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";
import { type Drive, isCdrom, newDiskPattern, parseDrive, printDrive } from "../config/drive.ts";
import { driveSlots } from "../config/drive-formats.ts";
import { isTrue } from "../config/perl.ts";
import { describeImage, needsExtraction } from "./import-source.ts";
import { volumeOfPath } from "./volume-of-path.ts";

// Checks of the drives in a request: `$check_drive_param` and `$check_storage_access` in qemu-server
// `src/PVE/API2/Qemu.pm`.

export type Settings = Record<string, string | undefined>;

/** The readable drives of a request, in text order of their slots. */
export function requestedDrives(settings: Settings): [slot: string, drive: Drive][] {
  return [...driveSlots].sort().flatMap((slot): [string, Drive][] => {
    const text = settings[slot];
    const drive = text === undefined ? undefined : parseDrive(slot, text, true);
    return drive === undefined ? [] : [[slot, drive]];
  });
}

/** Refuses contradictions, and prints each drive again in PVE's order of keys. */
export function checkDriveParameters(world: World, settings: Settings): void {
  for (const slot of [...driveSlots].sort()) {
    const text = settings[slot];
    if (text === undefined) {
      continue;
    }
    const drive = parseDrive(slot, text, true) ?? paramError({ [slot]: "unable to parse drive options" });
    checkImport(slot, drive);
    completeMedia(world, slot, drive);
    const volume = findVolumeId(drive.file);
    if (volume !== undefined && !newDiskPattern.test(drive.file) && volume.volname !== "cloudinit") {
      if (describeVolume(world, drive.file).content === "iso" && drive.media !== "cdrom") {
        paramError({ [slot]: "explicit 'media=cdrom' is required for iso images" });
      }
    }
    settings[slot] = printDrive(drive, true);
  }
}

function checkImport(slot: string, drive: Drive): void {
  if (!isTrue(drive["import-from"])) {
    return;
  }
  const [, , size] = newDiskPattern.exec(drive.file) ?? [];
  if (Number(size) !== 0) {
    paramError({ [slot]: "'import-from' requires special syntax - use <storage ID>:0,import-from=<source>" });
  }
  const required = { efidisk0: ["efitype", "pre-enrolled-keys"], tpmstate0: ["version"] }[slot] ?? [];
  for (const key of required) {
    if (drive[key] === undefined) {
      paramError({ [slot]: `need to specify '${key}' when using 'import-from'` });
    }
  }
}

/**
 * `cleanup_drive_path`: replaces a path that is not a device by its volume, and marks files that can only be a CD as
 * one.
 */
function completeMedia(world: World, slot: string, drive: Drive): void {
  const { file } = drive;
  const isWord = /^(?:cdrom|none)$/.test(file);
  if (!isWord && !/^\/dev\/.+/.test(file) && !/^[^:]+:.+$/.test(file) && !/^\d+$/.test(file)) {
    const { content, volid } =
      volumeOfPath(world, file) ?? paramError({ [slot]: `unable to associate path '${file}' to any storage` });
    if (drive.media === undefined && content === "iso") {
      drive.media = "cdrom";
    }
    checkMediaType(slot, content, drive.media);
    drive.file = volid;
  }
  if (drive.media === undefined && isWord) {
    drive.media = "cdrom";
  }
}

function checkMediaType(slot: string, content: string, media: string | undefined): void {
  const expected = media === "cdrom" ? "iso" : "images";
  if (media !== undefined && content !== expected) {
    paramError({ [slot]: `unexpected media type (${content} != ${expected})` });
  }
}

interface StorageRequest {
  readonly vmid: number;
  /** Where a plain size is allocated. */
  readonly defaultStorage?: string | undefined;
  /** `import-working-storage`. */
  readonly workingStorage?: string | undefined;
}

/** Checks that the caller may use every storage and volume in the request. */
export function checkStorageAccess(process: Process, settings: Settings, request: StorageRequest): void {
  const { caller, sim } = process;
  for (const [slot, drive] of requestedDrives(settings)) {
    checkDriveAccess(sim.world, caller, slot, drive, request);
    if (isTrue(drive["import-from"])) {
      checkImportAccess(sim.world, caller, slot, drive["import-from"], request);
    }
  }
  for (const [option, value] of Object.entries(settings)) {
    if (/^unused\d+$/.test(option) && value !== undefined) {
      const { file } = parseDrive(option, value) ?? paramError({ [option]: `failed to parse value '${value}'` });
      if (findVolumeId(file) === undefined) {
        paramError({ [option]: `not a valid volid: ${file}` });
      }
      checkVolumeAccess(sim.world, caller, file, { vmid: request.vmid, content: "images" });
    }
  }
  if (settings["vmstatestorage"] !== undefined) {
    caller.check(`/storage/${settings["vmstatestorage"]}`, ["Datastore.AllocateSpace"]);
  }
}

function checkDriveAccess(world: World, caller: Caller, slot: string, drive: Drive, request: StorageRequest): void {
  const { file } = drive;
  const volname = findVolumeId(file)?.volname;
  if (file === "" || file === "none" || file === "cloudinit" || volname === "cloudinit") {
    return;
  }
  const newDisk = newDiskPattern.exec(file);
  if (isCdrom(drive) && file === "cdrom") {
    caller.check("/", ["Sys.Console"]);
  } else if (!isCdrom(drive) && newDisk !== null) {
    const storage = newDisk[1] ?? request.defaultStorage ?? die("no storage ID specified (and no default storage)");
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
    if (!holds(getStorage(world, storage), "images")) {
      paramError({ storage: `storage '${storage}' does not support vm images` });
    }
  } else {
    checkVolumeAccess(world, caller, file, { vmid: request.vmid });
    if (volname !== undefined && !["images", "iso"].includes(describeVolume(world, file).content)) {
      paramError({ [slot]: "content type needs to be 'images' or 'iso'" });
    }
  }
}

function checkImportAccess(world: World, caller: Caller, slot: string, source: string, request: StorageRequest): void {
  const volume = findVolumeId(source);
  if (volume === undefined) {
    checkVolumeAccess(world, caller, source, { vmid: request.vmid });
    return;
  }
  const image = describeImage(world, source);
  if (image.content !== "images" && image.content !== "import") {
    paramError({ [slot]: `${source} has wrong type '${image.content}' - needs to be 'images' or 'import'` });
  }
  if (needsExtraction(image)) {
    const storage = request.workingStorage ?? volume.storage;
    const config = getStorage(world, storage);
    if (!holds(config, "images") || config.options["path"] === undefined) {
      const place = request.workingStorage === undefined ? slot : "import-working-storage";
      const text = "does not support 'images' content type or is not file based.";
      paramError({ [place]: `import working storage '${storage}' ${text}` });
    }
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  }
  if (image.vmid !== undefined) {
    caller.check(`/vms/${image.vmid}`, ["VM.Clone"]); // that VM may use it
  } else {
    checkVolumeAccess(world, caller, source, { vmid: request.vmid });
  }
}
