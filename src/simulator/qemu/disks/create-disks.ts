import { die, failureText } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import type { Section } from "../../core/world/guest.ts";
import { checkVolumeAccess } from "../../storage/access.ts";
import { failMissing, getImage } from "../../storage/images.ts";
import { getStorage, imageFormats } from "../../storage/storages.ts";
import { allocateDisk, createBaseDisk, freeDisk } from "../../storage/vdisk.ts";
import { findVolumeId, volumePath } from "../../storage/volume-name.ts";
import { hasFeature, volumeSize } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { cloudInitSlot, type Drive, drivesOf, isCloudInit, newDiskPattern, printDrive } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { findVm, isTemplate, withConfigLock } from "../vm.ts";
import { cloneDrive, cloudInitSize, tpmStateSize } from "./clone-drive.ts";
import { requestedDrives, type Settings } from "./drive-checks.ts";
import { efiVarsSize } from "./efi-vars.ts";
import { extractDisk } from "./extract-disk.ts";
import { describeImage, needsExtraction } from "./import-source.ts";

// `create_disks` in qemu-server `src/PVE/API2/Qemu.pm`: creates volumes for the drives of a request.

const sectorBytes = 512;

export interface DiskContext {
  readonly vmid: number;
  /** The VM's configuration; its `arch`, `template` flag and current drives are used. */
  readonly conf: Pick<VmConfig, "config" | "pending">;
  readonly defaultStorage?: string | undefined;
  /** Where disks in archives are extracted; undefined: on the archive's own storage. */
  readonly workingStorage?: string | undefined;
}

interface Creation extends DiskContext {
  /** New volumes, which are freed on failure. */
  readonly created: string[];
  /** The drives that are finished. */
  readonly drives: Section;
}

/** The drives to store, and the volumes that were created for them. */
export async function createDisks(
  process: Process,
  context: DiskContext,
  settings: Settings,
): Promise<{ drives: Section; created: string[] }> {
  const creation: Creation = { ...context, created: [], drives: {} };
  try {
    for (const [slot, drive] of requestedDrives(settings)) {
      creation.drives[slot] = printDrive(await createDisk(process, creation, slot, drive));
    }
  } catch (thrown) {
    await freeQuietly(process, creation.created);
    throw thrown;
  }
  return creation;
}

/** Frees volumes after a failure; further errors are only logged. */
export async function freeQuietly(process: Process, volumes: readonly string[]): Promise<void> {
  for (const volid of volumes) {
    try {
      await freeDisk(process, volid);
    } catch (thrown) {
      process.print(failureText(thrown));
    }
  }
}

async function createDisk(process: Process, creation: Creation, slot: string, drive: Drive): Promise<Drive> {
  const { file } = drive;
  if (file === "" || file === "none" || file === "cdrom") {
    const { size: _size, ...empty } = drive;
    return empty;
  }
  if (findVolumeId(file)?.volname === "cloudinit") {
    return announce(process, slot, await createCloudInit(process, creation, slot, drive));
  }
  const newDisk = newDiskPattern.exec(file);
  if (newDisk === null) {
    return await useVolume(process, creation, slot, drive);
  }
  const storage = newDisk[1] ?? creation.defaultStorage ?? die("no storage ID specified (and no default storage)");
  const created = isTrue(drive["import-from"])
    ? await importDisk(process, creation, slot, { drive, storage })
    : await allocate(process, creation, slot, { drive, storage, gib: Number(newDisk[2]) });
  return announce(process, slot, created);
}

function announce(process: Process, slot: string, drive: Drive): Drive {
  process.print(`${slot}: successfully created disk '${printDrive(drive)}'`);
  return drive;
}

function requireOnlyCloudInit({ conf, drives }: Creation, slot: string): void {
  const other =
    cloudInitSlot(conf.config, slot) ?? cloudInitSlot(conf.pending.set, slot) ?? cloudInitSlot(drives, slot);
  if (other !== undefined) {
    die(`${slot} - cloud-init drive is already attached at '${other}'`);
  }
}

async function createCloudInit(process: Process, creation: Creation, slot: string, drive: Drive): Promise<Drive> {
  const { vmid, created } = creation;
  const storage = findVolumeId(drive.file)?.storage ?? creation.defaultStorage ?? "";
  requireOnlyCloudInit(creation, slot);
  const { options } = getStorage(process.sim.world, storage);
  const isFile = options["path"] !== undefined;
  const isChain = options["snapshot-as-volume-chain"] === "1";
  const format = drive.format ?? (isFile || isChain ? "qcow2" : "raw");
  const extension = isFile || (isChain && format === "qcow2") ? `.${format}` : "";
  const name = `vm-${vmid}-cloudinit${extension}`;
  const volid = await allocateDisk(process, { storage, vmid, format, name, size: cloudInitSize });
  created.push(volid);
  const { format: _format, ...rest } = drive;
  return { ...rest, file: volid, media: "cdrom" };
}

interface Order {
  readonly drive: Drive;
  readonly storage: string;
}

async function allocate(
  process: Process,
  { vmid, conf, created }: Creation,
  slot: string,
  { drive, storage, gib }: Order & { gib: number },
): Promise<Drive> {
  const { world } = process.sim;
  const format = drive.format ?? imageFormats(getStorage(world, storage)).default;
  const kib = Math.ceil(gib * 2 ** 20);
  const sizes: Record<string, number> = {
    efidisk0: efiVarsSize(conf.config["arch"] ?? "x86_64", drive),
    tpmstate0: tpmStateSize,
  };
  let volid = await allocateDisk(process, { storage, vmid, format, size: sizes[slot] ?? kib * 1024 });
  // The size of an EFI disk is read after its template was written; other disks have the requested size.
  const size = slot === "efidisk0" ? volumeSize(world, volid, process.node) : (sizes[slot] ?? kib * 1024);
  if (isTemplate(conf)) {
    volid = await createBaseDisk(process, volid);
  }
  created.push(volid);
  const { format: _format, ...rest } = drive;
  const enrolled = slot === "efidisk0" && isTrue(drive["pre-enrolled-keys"]);
  return { ...rest, ...(enrolled && { "ms-cert": "2023k" }), file: volid, size: String(size) };
}

async function importDisk(
  process: Process,
  creation: Creation,
  slot: string,
  { drive, storage }: Order,
): Promise<Drive> {
  const { world } = process.sim;
  const { "import-from": source = "", format, ...rest } = drive;
  if (findVolumeId(source) === undefined) {
    return die(`can't find file '${source}'`); // the host has no files outside its storages
  }
  const image = describeImage(world, source);
  if (needsExtraction(image)) {
    const extracted = await extractDisk(process, source, creation.vmid, creation.workingStorage);
    try {
      return await importDisk(process, creation, slot, { drive: { ...drive, "import-from": extracted }, storage });
    } finally {
      await freeQuietly(process, [extracted]);
    }
  }
  if (image.content === "import" && volumeSize(world, source, process.node) === undefined) {
    die(`failed to stat '${volumePath(image.storage, findVolumeId(source)?.volname ?? "")}'`);
  }
  const target = {
    vmid: creation.vmid,
    slot,
    storage,
    format,
    efiSize: efiVarsSize(creation.conf.config["arch"] ?? "x86_64", drive),
  };
  try {
    const copy = await copyImage(process, source, target, creation.created);
    return { ...rest, file: copy.file, ...(copy.size !== undefined && { size: copy.size }) };
  } catch (thrown) {
    return die(`cannot import from '${source}' - ${failureText(thrown)}`);
  }
}

/** `$import_from_volid`: the disk may be used by another VM, whose configuration is locked during the import. */
async function copyImage(
  process: Process,
  source: string,
  target: Parameters<typeof cloneDrive>[2],
  created: string[],
): Promise<Drive> {
  const { world } = process.sim;
  if (volumeSize(world, source, process.node) === undefined) {
    failMissing(world, source);
  }
  if (isCloudInit({ file: source })) {
    die("cannot import from cloudinit disk");
  }
  const owner = describeImage(world, source).vmid;
  const exists = owner !== undefined && world.guests[owner] !== undefined;
  const vm = exists ? findVm(world, owner, process.node) : undefined;
  if (exists && vm === undefined) {
    die(`owner VM ${owner} not on local node`);
  }
  if (!hasFeature(world, "copy", source)) {
    die(`cannot import from '${source}' - full clone feature is not supported`);
  }
  const running = vm?.run !== undefined;
  const copy = () => {
    const [slot, drive] = drivesOf(vm?.config ?? {}).find(([, candidate]) => candidate.file === source) ?? [];
    const from = { drive: drive ?? { file: source }, slot, vmid: owner, running };
    return cloneDrive(process, from, target, { full: true, created });
  };
  return owner === undefined || owner === target.vmid
    ? await copy()
    : await withConfigLock(process, owner, copy, { seconds: 30, shared: !running });
}

/** An existing volume; its size is read, whatever the request states. */
async function useVolume(process: Process, creation: Creation, slot: string, drive: Drive): Promise<Drive> {
  const { world } = process.sim;
  const { file } = drive;
  checkVolumeAccess(world, process.caller, file, { vmid: creation.vmid });
  if (findVolumeId(file) === undefined) {
    return die(`volume ${file} does not exist`); // a device of the host; there are none here
  }
  const { content, format } = describeImage(world, file);
  if (content !== "images" && content !== "iso") {
    die(`cannot use volume ${file} - content type needs to be 'images' or 'iso'`);
  }
  const stored = content === "iso" ? "raw" : format;
  if (drive.format !== undefined && drive.format !== stored) {
    const conflict = `'format=${drive.format}' option different from storage format '${stored}'`;
    die(`drive '${slot}' - volume '${file}' - ${conflict}`);
  }
  if (isCloudInit(drive)) {
    requireOnlyCloudInit(creation, slot);
  }
  // QEMU counts in sectors, even for files that end within one.
  const size = Math.ceil(getImage(world, file, process.node).size / sectorBytes) * sectorBytes;
  return size === 0 ? die(`volume ${file} does not exist`) : { ...drive, size: String(size) };
}
