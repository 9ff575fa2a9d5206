import { die, failureText } from "../../core/kernel/failure.ts";
import type { Task } from "../../core/kernel/process.ts";
import type { Section } from "../../core/world/guest.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import { deleteImageSnapshot } from "../../storage/images.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import type { VmConfig } from "../config/config-text.ts";
import { drivesOf, isCdrom, parseDrive } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { addUnusedVolume, keepUnused } from "../disks/unused-volumes.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";

// `snapshot_delete` in pve-guest-common `src/PVE/AbstractConfig.pm`.

export interface SnapshotRemoval {
  readonly vmid: number;
  readonly name: string;
  /** Removes it from the configuration in any case, even if the snapshots of disks cannot be removed. */
  readonly force: boolean;
}

/** `cleanupOf`: after a failed creation, only the finished drives, under the lock of the creation. */
export async function deleteSnapshot(
  task: Task,
  { vmid: id, name, force }: SnapshotRemoval,
  cleanupOf?: ReadonlySet<string>,
): Promise<void> {
  const snapshot = getSnapshot(getVm(task, id), name);
  const expectedLock = cleanupOf === undefined ? "snapshot-delete" : "snapshot";
  const edit = (change: (conf: VmConfig) => void | Promise<void>) =>
    withConfigLock(task, id, async () => {
      const conf = loadConfig(task, id);
      if (conf.config["lock"] !== expectedLock) {
        die(`encountered invalid lock, expected '${expectedLock}'`);
      }
      await change(conf);
      saveConfig(task, id, conf);
    });
  if (cleanupOf === undefined) {
    await takeLock(task, id);
  }
  await edit((conf) => {
    if (isTemplate(conf)) {
      die("you can't delete a snapshot if vm is a template");
    }
    getSnapshot(conf, name)["snapstate"] = "delete";
  });
  await removeState(task, snapshot, force);
  const freed = await removeDiskSnapshots(task, { snapshot, name, force, cleanupOf }, async (slot) => {
    if (!force) {
      await edit((conf) => dropDrive(getSnapshot(conf, name), slot));
    }
  });
  await edit((conf) => forget(task, conf, name, freed));
}

async function takeLock(task: Task, id: number): Promise<void> {
  await withConfigLock(task, id, () => {
    const conf = loadConfig(task, id);
    checkLock(conf);
    conf.config["lock"] = "snapshot-delete";
    saveConfig(task, id, conf);
  });
}

async function removeState(task: Task, { vmstate }: Section, force: boolean): Promise<void> {
  if (!isTrue(vmstate)) {
    return;
  }
  try {
    await freeDisk(task, vmstate);
  } catch (thrown) {
    if (!force) {
      throw thrown;
    }
    task.print(failureText(thrown));
  }
}

interface DiskRemoval {
  readonly snapshot: Section;
  readonly name: string;
  readonly force: boolean;
  readonly cleanupOf: ReadonlySet<string> | undefined;
}

/** Returns the volumes that no longer have the snapshot. */
async function removeDiskSnapshots(
  task: Task,
  { snapshot, name, force, cleanupOf }: DiskRemoval,
  afterEach: (slot: string) => Promise<void>,
): Promise<string[]> {
  const freed: string[] = [];
  for (const [slot, drive] of drivesOf(snapshot)) {
    if (!isCdrom(drive) && (cleanupOf === undefined || cleanupOf.has(slot))) {
      try {
        deleteImageSnapshot(task.sim.world, drive.file, task.node, name);
        freed.push(drive.file);
      } catch (thrown) {
        if (!force) {
          throw thrown;
        }
        task.print(failureText(thrown));
      }
    }
    await afterEach(slot);
  }
  return freed;
}

/** `__snapshot_delete_remove_drive`: a partly deleted snapshot keeps the volume as an unused one. */
function dropDrive(snapshot: Section, slot: string): void {
  const drive = parseDrive(slot, snapshot[slot] ?? "");
  if (drive !== undefined && !isCdrom(drive)) {
    delete snapshot[slot];
    addUnusedVolume(snapshot, drive.file);
  }
}

/** Children of the snapshot get its parent; volumes that only it used become unused volumes. */
async function forget(task: Task, conf: VmConfig, name: string, freed: readonly string[]): Promise<void> {
  const { parent } = getSnapshot(conf, name);
  for (const section of [conf.config, ...Object.values(conf.snapshots)]) {
    if (section["parent"] === name) {
      delete section["parent"];
      Object.assign(section, isTrue(parent) ? { parent } : {});
    }
  }
  delete conf.snapshots[name];
  delete conf.config["lock"];
  for (const volid of freed) {
    await keepUnused(task, conf.config, volid);
  }
}
