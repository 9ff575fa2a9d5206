import { die } from "../../core/kernel/failure.ts";
import type { Task } from "../../core/kernel/process.ts";
import type { Section } from "../../core/world/guest.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import { checkRollback, rollbackImage } from "../../storage/images.ts";
import type { VmConfig } from "../config/config-text.ts";
import { drivesOf, isCdrom, isOrdinaryCdrom } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { keepUnused } from "../disks/unused-volumes.ts";
import { startProcess } from "../power/run-state.ts";
import { stopVm } from "../power/stop.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { snapshotOptions } from "./create.ts";

// `snapshot_rollback` in pve-guest-common `src/PVE/AbstractConfig.pm`.

function getSource(conf: VmConfig, name: string): Section {
  if (isTemplate(conf)) {
    die("you can't rollback if vm is a template");
  }
  return getSnapshot(conf, name);
}

/** Disks that can be rolled back; CD drives have no snapshots. */
function disksOf(snapshot: Section): string[] {
  return drivesOf(snapshot)
    .filter(([, drive]) => !isCdrom(drive))
    .map(([, { file }]) => file);
}

/** Stops the VM, if it runs, and locks it. */
async function prepare(task: Task, id: number, name: string): Promise<void> {
  await withConfigLock(task, id, async () => {
    const { world } = task.sim;
    const before = getSource(loadConfig(task, id), name);
    for (const volid of disksOf(before)) {
      checkRollback(world, volid, task.node, name);
    }
    if (isTrue(before["snapstate"])) {
      die(`unable to rollback to incomplete snapshot (snapstate = ${before["snapstate"]})`);
    }
    checkLock(loadConfig(task, id));
    await stopVm(task, id, { shutdown: false, force: true, timeout: 5 });
    const conf = loadConfig(task, id);
    conf.config["lock"] = "rollback";
    saveConfig(task, id, conf);
  });
}

/** The snapshot's options replace the VM's; disks that it does not have become unused volumes. */
async function finish(task: Task, id: number, name: string): Promise<void> {
  await withConfigLock(task, id, async () => {
    const conf = loadConfig(task, id);
    const snapshot = getSource(conf, name);
    if (conf.config["lock"] !== "rollback") {
      die("got wrong lock");
    }
    const known = new Set(drivesOf(snapshot).map(([, { file }]) => file));
    for (const [, drive] of drivesOf(conf.config)) {
      if (!isOrdinaryCdrom(drive) && !known.has(drive.file)) {
        await keepUnused(task, conf.config, drive.file);
      }
    }
    const kept = Object.entries(conf.config).filter(([key]) => /^unused\d+$/.test(key) || key === "description");
    const {
      runningmachine: _machine,
      runningcpu: _cpu,
      "running-nets-host-mtu": _mtu,
      ...options
    } = snapshotOptions(snapshot);
    const config: Section = { ...Object.fromEntries(kept), ...options, parent: name };
    if (isTrue(config["vmgenid"])) {
      config["vmgenid"] = task.sim.random.uuid(); // the guest can detect the lost time
    }
    saveConfig(task, id, { config, pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: conf.snapshots });
    if (isTrue(snapshot["vmstate"])) {
      startProcess(task.sim, getVm(task, id), config);
    }
  });
}

export async function rollbackSnapshot(task: Task, id: number, name: string): Promise<void> {
  await prepare(task, id, name);
  for (const volid of disksOf(getVm(task, id).snapshots[name] ?? {})) {
    rollbackImage(task.sim.world, volid, task.node, name);
  }
  await finish(task, id, name);
}
