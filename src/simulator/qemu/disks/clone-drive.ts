import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { getImage } from "../../storage/images.ts";
import { dataBytes, freeBytes, writeData } from "../../storage/space.ts";
import { copySeconds, getStorage, resolveFormat } from "../../storage/storages.ts";
import { allocateDisk, cloneDisk } from "../../storage/vdisk.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { findVolume, pathOf, volumeSize } from "../../storage/volumes.ts";
import { type Drive, isCloudInit } from "../config/drive.ts";
import { describeImage } from "./import-source.ts";

const MiB = 2 ** 20;

/** Fixed sizes: qemu-server `src/PVE/QemuServer/{Cloudinit,Drive}.pm`. */
export const cloudInitSize = 4 * MiB;
export const tpmStateSize = 4 * MiB;

export interface DriveSource {
  readonly drive: Drive;
  /** The VM and the slot to which it is attached. */
  readonly vmid?: number | undefined;
  readonly slot?: string | undefined;
  readonly running?: boolean;
  readonly snapshot?: string | undefined;
}

export interface DriveTarget {
  readonly vmid: number;
  readonly slot: string;
  /** By default the storage and format of the source. */
  readonly storage?: string | undefined;
  readonly format?: string | undefined;
  /** The size with which an EFI disk is created. */
  readonly efiSize?: number | undefined;
  /** KiB per second. */
  readonly bandwidth?: number | undefined;
}

/** `clone_disk` in qemu-server `src/PVE/QemuServer.pm`: a linked or full copy of a drive; returns the new one. */
export async function cloneDrive(
  process: Process,
  source: DriveSource,
  target: DriveTarget,
  { full, created }: { readonly full: boolean; readonly created: string[] },
): Promise<Drive> {
  const mirrors = full && source.running === true && isAttached(source) && source.snapshot === undefined;
  checkSlots(source, target, mirrors);
  const place = source.slot === undefined ? "" : `${source.slot} `;
  process.print(`create ${full ? "full" : "linked"} clone of drive ${place}(${source.drive.file})`);
  const copy = full
    ? await copyDrive(process, source, target, { mirrors, created })
    : await cloneDisk(process, source.drive.file, target.vmid, source.snapshot);
  if (!full) {
    created.push(copy);
  }
  const { format: _format, ...drive } = source.drive;
  const size = volumeSize(process.sim.world, copy, process.node);
  const showsSize = size !== undefined && source.slot?.startsWith("unused") !== true;
  return { ...drive, file: copy, ...(showsSize && { size: String(size) }) };
}

function isAttached({ slot }: DriveSource): boolean {
  return slot !== undefined && !slot.startsWith("unused");
}

function checkSlots({ slot, vmid }: DriveSource, target: DriveTarget, mirrors: boolean): void {
  if (slot !== undefined && slot !== target.slot) {
    if (slot === "efidisk0" || target.slot === "efidisk0") {
      die("cloning from/to EFI disk requires EFI disk");
    }
    if (slot === "tpmstate0" || target.slot === "tpmstate0") {
      die("cloning from/to TPM state requires TPM state");
    }
    if (mirrors && vmid === target.vmid) {
      die("cannot change drive name when cloning disk from/to the same VM");
    }
  }
  if (mirrors && slot === "tpmstate0") {
    die("cannot move TPM state while VM is running");
  }
}

interface Copying {
  readonly mirrors: boolean;
  readonly created: string[];
}

async function copyDrive(process: Process, source: DriveSource, target: DriveTarget, how: Copying): Promise<string> {
  const { world } = process.sim;
  const { drive } = source;
  const storage = getStorage(world, target.storage ?? parseVolumeId(drive.file).storage);
  const format = resolveFormat(storage, target.format ?? describeImage(world, drive.file).format);
  if (target.format !== undefined && target.format !== format) {
    const reason = `is not supported by the target storage '${storage.storage}'`;
    process.print(`format '${target.format}' ${reason} - using '${format}' instead`);
  }
  const extension = storage.options["path"] === undefined ? "" : `.${format}`;
  const copy = await allocateDisk(process, {
    storage: storage.storage,
    vmid: target.vmid,
    format,
    name: isCloudInit(drive) ? `vm-${target.vmid}-cloudinit${extension}` : undefined,
    size: copySize(process, source, target),
  });
  how.created.push(copy);
  process.print(`allocated target volume '${copy}'`);
  if (!isCloudInit(drive)) {
    await (how.mirrors ? mirror(process, source, target, copy) : transfer(process, drive.file, copy, target.bandwidth));
  }
  return copy;
}

function copySize(process: Process, { drive }: DriveSource, { slot, efiSize }: DriveTarget): number {
  if (isCloudInit(drive)) {
    return cloudInitSize;
  }
  if (slot === "efidisk0") {
    return efiSize ?? die("internal error - need to specify EFI disk size");
  }
  return slot === "tpmstate0" ? tpmStateSize : getSize(process, drive.file);
}

function getSize(process: Process, volid: string): number {
  const { world } = process.sim;
  return volumeSize(world, volid, process.node) ?? getImage(world, volid, process.node).size;
}

/** `render_bytes` of pve-common `src/PVE/Format.pm` with one decimal. */
function renderBytes(bytes: number): string {
  const step = bytes > 1023 ? Math.floor(Math.log(bytes) / Math.log(1024)) : 0;
  return `${(bytes / 1024 ** step).toFixed(1)} ${["B", "KiB", "MiB", "GiB", "TiB", "PiB"][step]}`;
}

/** `qemu-img convert` with its progress: takes as long as the slower storage, or the limit, needs for the bytes. */
export async function transfer(process: Process, from: string, to: string, bandwidth?: number): Promise<void> {
  const bytes = getSize(process, from);
  const steps = 10;
  const seconds = transferSeconds(process, from, to, bandwidth) / steps;
  for (let step = 0; step <= steps; step++) {
    const done = Math.floor((bytes * step) / steps);
    const percent = ((step * 100) / steps).toFixed(2);
    process.print(`transferred ${renderBytes(done)} of ${renderBytes(bytes)} (${percent}%)`);
    if (step < steps) {
      await process.sleep(seconds);
    }
  }
  writeCopy(process, from, to);
}

/** Writes the data of the image to the other storage, unless that storage is full. */
function writeCopy(process: Process, from: string, to: string): void {
  const { world } = process.sim;
  const source = findVolume(world, from, process.node);
  const target = getStorage(world, parseVolumeId(to).storage);
  if (source === undefined || writeData(world, target, process.node, to, dataBytes(source))) {
    return;
  }
  const written = freeBytes(world, target, process.node);
  process.print(`qemu-img: error while writing at byte ${written}: No space left on device`);
  const { format } = describeImage(world, to);
  const [path, copyPath] = [from, to].map((volid) => pathOf(world, volid));
  const command = `/usr/bin/qemu-img convert -p -n -f ${source.format} -O ${format} ${path} zeroinit:${copyPath}`;
  die(`copy failed: command '${command}' failed: exit code 1`);
}

function transferSeconds(process: Process, from: string, to: string, bandwidth?: number): number {
  const { world } = process.sim;
  const bytes = getSize(process, from);
  const [source, target] = [from, to].map((volid) => getStorage(world, parseVolumeId(volid).storage));
  const unlimited = source === undefined ? 0 : copySeconds(bytes, source, target);
  return bandwidth === undefined || bandwidth === 0 ? unlimited : Math.max(unlimited, bytes / (bandwidth * 1024));
}

/** `blockdev-mirror` of a running VM's drive. */
async function mirror(process: Process, source: DriveSource, target: DriveTarget, copy: string): Promise<void> {
  const job = `mirror-${source.slot}`;
  const size = renderBytes(getSize(process, source.drive.file));
  process.print(`drive mirror is starting for drive-${source.slot}`);
  await process.sleep(transferSeconds(process, source.drive.file, copy, target.bandwidth));
  process.print(`${job}: transferred ${size} of ${size} (100.00%) in 0s, ready`);
  process.print("all 'mirror' jobs are ready");
  if (source.vmid === target.vmid) {
    process.print(`${job}: Completing block job...`);
    process.print(`${job}: Completed successfully.`);
  } else {
    process.print("suspend vm");
    process.print(`${job}: Cancelling block job`);
    process.print(`${job}: Done.`);
    process.print("resume vm");
  }
  process.print(`${job}: mirror-job finished`);
}
