import { die, failureText } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import { formatSize } from "../core/schema/size.ts";
import type { Section } from "../core/world/guest.ts";
import type { BackupArchive, Volume } from "../core/world/storage.ts";
import { isHaManaged } from "../guests/ha.ts";
import { duration, failureReason, timestamp } from "../guests/migration-log.ts";
import { checkLock as checkContainerLock, getContainer } from "../lxc/container.ts";
import { checkLock as checkVmLock, getVm } from "../qemu/vm.ts";
import { backupsOf, checkProtectionLimit } from "../storage/protection.ts";
import { putFileChecked } from "../storage/space.ts";
import { copySeconds, isShared } from "../storage/storages.ts";
import { findVolumeId } from "../storage/volume-name.ts";
import { describeVolume, findVolume, hasFeature, pathOf, volumeSize, volumesIn } from "../storage/volumes.ts";
import { archiveName } from "./archive-name.ts";
import { copyData, holdGuest } from "./copy-phase.ts";
import { generateNotes } from "./notes.ts";
import { pruneBackups } from "./prune.ts";
import { type BackupVolume, backupVolumes } from "./volumes.ts";
import type { BackupOptions, Work } from "./work.ts";

// `exec_backup_task` of pve-manager `PVE/VZDump.pm`, with the guest-specific parts of qemu-server
// `src/PVE/VZDump/QemuServer.pm` and pve-container `src/PVE/VZDump/LXC.pm`.

/** The size of a compressed archive of a typical system, relative to its disks. */
const archiveShare = 0.1;

function checkLimits({ task, guest, options }: Work): void {
  const { storage, keep, remove, isProtected } = options;
  if (options.mode === "stop" && isHaManaged(task.sim.world, guest.vmid) && guest.run !== undefined) {
    die(
      "Cannot execute a backup with stop mode on a HA managed and enabled Service. Use snapshot mode or disable the Service.",
    );
  }
  const { "keep-all": all, ...counts } = keep;
  const limit = all === "1" ? 0 : Object.values(counts).reduce((sum, count) => sum + Number(count), 0);
  const existing = backupsOf(task.sim.world, storage.storage, task.node, guest.vmid, guest.type);
  if (isProtected) {
    checkProtectionLimit(task.caller, storage, existing);
  } else if (limit > 0 && !remove && existing.filter((volume) => !volume.protected).length >= limit) {
    die(
      `There is a max backup limit of ${limit} enforced by the target storage or the vzdump parameters. Either increase the limit or delete old backups.`,
    );
  }
}

/** `lock_vm`: prevents changes of the configuration during the backup. */
function lockGuest({ task, guest }: Work): void {
  if (guest.type === "qemu") {
    checkVmLock(getVm(task, guest.vmid));
  } else {
    checkContainerLock(getContainer(task, guest.vmid));
  }
  guest.config["lock"] = "backup";
}

/** `prepare`: logs which volumes are included. */
function prepare({ task, guest, log }: Work, mode: string): BackupVolume[] {
  const { config, type } = guest;
  const name = type === "qemu" ? config["name"] : config["hostname"];
  if (name !== undefined) {
    log(`${type === "qemu" ? "VM" : "CT"} Name: ${name}`);
  }
  const volumes = backupVolumes(guest);
  for (const { key, volume, isIncluded, reason, size, mount } of volumes) {
    if (mount !== undefined) {
      log(
        isIncluded
          ? `including mount point ${key} ('${mount.path}') in backup`
          : `excluding ${mount.type} mount point ${key} ('${mount.path}') from backup (${reason})`,
      );
    } else if (isIncluded) {
      log(`include disk '${key}' '${volume}'${size === undefined ? "" : ` ${formatSize(Number(size))}`}`);
    } else {
      log(`exclude disk '${key}' '${volume}' (${reason})`);
    }
  }
  const included = volumes.filter(({ isIncluded }) => isIncluded);
  const { world } = task.sim;
  if (type === "lxc" && mode === "snapshot" && !included.every(({ volume }) => hasFeature(world, "snapshot", volume))) {
    die("mode failure - some volumes do not support snapshots");
  }
  return included;
}

/** The mode that is used in the end, and the contents of the archive. */
function chooseMode(work: Work): { mode: string; volumes: BackupVolume[] } {
  const { guest, options, log } = work;
  const requested = guest.run === undefined ? "stop" : options.mode;
  let mode = requested;
  let volumes: BackupVolume[] | undefined;
  if (requested === "snapshot") {
    try {
      volumes = prepare(work, requested);
    } catch (thrown) {
      const text = failureText(thrown);
      if (!text.startsWith("mode failure")) {
        throw thrown;
      }
      log(text.trimEnd());
      log("trying 'suspend' mode instead");
      mode = "suspend";
    }
  }
  log(`backup mode: ${mode}`);
  if (options.bwlimit > 0) {
    log(`bandwidth limit: ${options.bwlimit} KiB/s`);
  }
  log(`ionice priority: ${options.ionice}`);
  return { mode, volumes: volumes ?? prepare(work, mode) };
}

/** The configuration as the archive contains it. */
function archivedConfig({ guest: { type, config, snapshots, pending }, log }: Work): Section {
  const entries = Object.entries(config).filter(([key]) => {
    if (type === "qemu" && /^unused\d+$/.test(key)) {
      log(`skip unused drive '${config[key]}' (not included into backup)`);
      return false;
    }
    return key !== "lock" && key !== "parent";
  });
  if (type === "qemu" && Object.keys(snapshots).length > 0) {
    log("snapshots found (not included into backup)");
  }
  if (type === "qemu" && Object.keys({ ...pending.set, ...pending.delete }).length > 0) {
    log("pending configuration changes found (not included into backup)");
  }
  return Object.fromEntries(entries);
}

function describeDisks({ task, guest }: Work, volumes: readonly BackupVolume[]): BackupArchive["disks"] {
  if (guest.type === "lxc") {
    return [];
  }
  const { world } = task.sim;
  return volumes.map(({ key, volume }) => ({
    slot: key,
    size: volumeSize(world, volume, task.node) ?? die(`cannot determine size of volume '${volume}'`),
    storage: findVolumeId(volume)?.storage ?? "",
    format: describeVolume(world, volume).format,
  }));
}

/** A free name: PVE can create one backup of a guest per second at most. */
function freeName({ task, guest, options }: Work): { name: string; time: number } {
  const { storage, compress } = options;
  for (let time = task.sim.clock.stamp(); ; time++) {
    const stem = archiveName(guest.type, guest.vmid, time, "0");
    const isTaken = volumesIn(task.sim.world, storage.storage).some(({ volid }) =>
      volid.startsWith(`${storage.storage}:backup/${stem}`),
    );
    if (!isTaken) {
      return { name: archiveName(guest.type, guest.vmid, time, compress), time };
    }
  }
}

async function writeArchive(work: Work, mode: string, volumes: readonly BackupVolume[]): Promise<Volume> {
  const { task, guest, options, log } = work;
  const { world } = task.sim;
  const { storage } = options;
  const { name, time } = freeName(work);
  const volid = `${storage.storage}:backup/${name}`;
  const firewall = world.firewall[`guest/${guest.vmid}`];
  const archive: BackupArchive = {
    type: guest.type,
    config: archivedConfig(work),
    disks: describeDisks(work, volumes),
    ...(firewall !== undefined && { firewall: structuredClone(firewall) }),
  };
  log(`creating vzdump archive '${pathOf(world, volid)}'`);
  const bytes = volumes.reduce((sum, { volume }) => sum + (volumeSize(world, volume, task.node) ?? 0), 0);
  await copyData(work, mode, copySeconds(bytes, storage));
  const size = Math.max(512, Math.round(bytes * archiveShare));
  const volume: Volume = {
    volid,
    node: isShared(storage) ? undefined : task.node,
    content: "backup",
    format: name.replace(/^[^.]*\./, ""),
    size,
    vmid: guest.vmid,
    ctime: time,
    backup: archive,
  };
  putFileChecked(world, storage, task.node, volume, "job failed with err -28 - No space left on device");
  log(`archive file size: ${formatArchiveSize(size)}`);
  return findVolume(world, volid, task.node) ?? volume;
}

/** `format_size`: whole KiB, and two decimals above one MiB. */
function formatArchiveSize(bytes: number): string {
  const kib = bytes / 1024;
  if (kib < 1024) {
    return `${Math.floor(kib)}KB`;
  }
  const mib = kib / 1024;
  return mib < 1024 ? `${Math.floor(mib)}MB` : `${(mib / 1024).toFixed(2)}GB`;
}

async function backUp(work: Work): Promise<void> {
  const { task, guest, options, log } = work;
  checkLimits(work);
  log(`Starting Backup of VM ${guest.vmid} (${guest.type})`);
  log(`Backup started at ${timestamp(task.sim.clock.now())}`);
  log(`status = ${guest.run === undefined ? "stopped" : "running"}`);
  lockGuest(work);
  let release: (() => Promise<void>) | undefined;
  try {
    const { mode, volumes } = chooseMode(work);
    release = await holdGuest(work, mode, volumes);
    const volume = await writeArchive(work, mode, volumes);
    if (options.notes !== undefined && options.notes !== "") {
      log("adding notes to backup");
      volume.notes = generateNotes(task, guest, options.notes);
    }
    if (options.isProtected) {
      log("marking backup as protected");
      volume.protected = true;
    }
    if (options.remove) {
      prune(work);
    }
  } finally {
    delete guest.config["lock"];
    await release?.();
  }
}

function prune({ task, guest, options, log }: Work): void {
  const retention = Object.entries(options.keep).sort(([a], [b]) => (a < b ? -1 : 1));
  log(`prune older backups with retention: ${retention.map(([key, value]) => `${key}=${value}`).join(", ")}`);
  const { storage, keep } = options;
  const count = pruneBackups(task, { storage: storage.storage, keep, vmid: guest.vmid, type: guest.type }, log);
  log(`pruned ${count} backup(s)${count > 0 ? " not covered by keep-retention policy" : ""}`);
}

/** Backs up one guest; returns false on failure, which does not stop the job. */
export async function backUpGuest(task: Task, vmid: number, options: BackupOptions): Promise<boolean> {
  const { world, clock } = task.sim;
  const log = (text: string) => task.print(`INFO: ${text}`);
  const started = clock.now();
  try {
    const guest = world.guests[vmid];
    if (guest === undefined) {
      die(`unable to find VM '${vmid}'`);
    }
    await backUp({ task, guest, options, log });
  } catch (thrown) {
    const reason = failureReason(thrown);
    task.print(`ERROR: Backup of VM ${vmid} failed - ${reason.trimEnd()}`);
    log(`Failed at ${timestamp(clock.now())}`);
    if (reason === "interrupted by signal\n") {
      die(reason);
    }
    return false;
  }
  log(`Finished Backup of VM ${vmid} (${duration(clock.since(started))})`);
  log(`Backup finished at ${timestamp(clock.now())}`);
  return true;
}
