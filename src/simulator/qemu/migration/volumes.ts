import { die, failureText } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { mapStorage, type StorageMap } from "../../guests/storage-map.ts";
import { getImage, isBaseInUse } from "../../storage/images.ts";
import { migrateVolume } from "../../storage/migrate-volume.ts";
import { getEnabledStorage, holds, isShared } from "../../storage/storages.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type VolumeUse, volumesOf } from "../disks/vm-volumes.ts";

export interface Migration {
  readonly process: Process;
  readonly vmid: number;
  readonly target: string;
  readonly running: boolean;
  readonly withLocalDisks: boolean;
  readonly storageMap: StorageMap | undefined;
  log(text: string): void;
}

/** A volume that must be copied to the other node. */
export interface LocalVolume {
  readonly volid: string;
  readonly use: VolumeUse;
  readonly storage: string;
}

const migratableTypes = /^(?:dir|btrfs|zfspool|lvmthin|lvm)$/;

/**
 * `scan_local_volumes` in qemu-server `src/PVE/QemuMigrate.pm`: the volumes to copy, or the reason why one cannot be.
 */
export function scanLocalVolumes(migration: Migration, conf: VmConfig): LocalVolume[] {
  const found: LocalVolume[] = [];
  const problems: string[] = [];
  for (const [volid, use] of [...volumesOf(conf)].sort(([a], [b]) => (a < b ? -1 : 1))) {
    try {
      const volume = checkVolume(migration, volid, use);
      if (volume !== undefined) {
        migration.log(`found ${reference(use)}`.replace("%", volid));
        found.push(volume);
      }
    } catch (thrown) {
      const reason = failureText(thrown).trimEnd();
      problems.push(volid === "cdrom" ? reason : `can't migrate local disk '${volid}': ${reason}`);
    }
  }
  if (problems.length > 0) {
    problems.forEach((problem) => {
      migration.log(problem);
    });
    die("Problem found while scanning volumes - can't migrate VM - check log");
  }
  for (const { volid } of found) {
    const { storage, base } = describeVolume(migration.process.sim.world, volid);
    if (!migratableTypes.test(storage.type)) {
      die(
        `Problem found while scanning volumes - can't migrate '${volid}' - storage type '${storage.type}' not supported`,
      );
    }
    if (base !== undefined) {
      die(`Problem found while scanning volumes - can't migrate '${volid}' as it's a clone of '${base.name}'`);
    }
  }
  return found;
}

function reference(use: VolumeUse): string {
  if (use.is_tpmstate === 1 || use.is_cloudinit === 1) {
    return "generated disk '%' (in current VM config)";
  }
  if (use.is_attached === 1) {
    return "local disk '%' (attached)";
  }
  if (use.is_unused === 1) {
    return "local disk '%' (unused)";
  }
  return `local disk '%' (${use.referenced_in_snapshot === undefined ? "pending change" : "referenced by snapshot(s)"})`;
}

function checkVolume(migration: Migration, volid: string, use: VolumeUse): LocalVolume | undefined {
  const { process, target, storageMap } = migration;
  const { world } = process.sim;
  if (volid.startsWith("/")) {
    return use.shared === 1 ? undefined : die("local file/device");
  }
  if (use.cdrom === 1 && volid === "cdrom") {
    die("can't migrate local cdrom drive");
  }
  if (use.cdrom === 1 && volid === "none") {
    return undefined;
  }
  const { storage: id } = parseVolumeId(volid);
  const source = getEnabledStorage(world, id, process.node);
  const storage = isShared(source) ? id : mapStorage(storageMap, id);
  const { content } = describeVolume(world, volid);
  if (!holds(getEnabledStorage(world, storage, target), content)) {
    die(`${volid}: content type '${content}' is not available on storage '${storage}'`);
  }
  if (isShared(source)) {
    return undefined;
  }
  getImage(world, volid, process.node);
  if (use.cdrom === 1) {
    return use.is_cloudinit === 1 ? { volid, use, storage } : die("local cdrom image");
  }
  checkMovable(migration, volid, use);
  return { volid, use, storage };
}

function checkMovable({ process, vmid, running, withLocalDisks }: Migration, volid: string, use: VolumeUse): void {
  const { world } = process.sim;
  const { vmid: owner, storage, format } = describeVolume(world, volid);
  if (owner !== vmid) {
    die(`owned by other VM (owner = VM ${owner ?? ""})`);
  }
  if (use.referenced_in_snapshot !== undefined && use.is_vmstate === 0) {
    if (running) {
      die("online storage migration not possible if non-replicated snapshot exists");
    }
    if (storage.type !== "zfspool" && format !== "qcow2") {
      die("non-migratable snapshot exists");
    }
  }
  if (isBaseInUse(world, volid, process.node)) {
    die("referenced by linked clone(s)");
  }
  if (running && use.is_attached === 1 && use.is_tpmstate === 0 && !withLocalDisks) {
    die("can't live migrate attached local disks without with-local-disks option");
  }
}

/** Copies a volume; returns its id on the target, which is the same if that name is free there. */
export function copyVolume(migration: Migration, { volid, use, storage }: LocalVolume): Promise<string> {
  const { process, target, vmid, running } = migration;
  const isMirrored = running && use.is_attached === 1 && use.is_tpmstate === 0 && use.is_cloudinit === 0;
  return migrateVolume(process, volid, { target, storage, vmid, keepName: !isMirrored });
}
