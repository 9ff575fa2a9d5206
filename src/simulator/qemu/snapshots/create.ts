import { die, failureText } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import type { Section } from "../../core/world/guest.ts";
import { getSnapshot } from "../../core/world/guest.ts";
import { snapshotImage } from "../../storage/images.ts";
import { hasFeature } from "../../storage/volumes.ts";
import { isAgentRunning } from "../agent/guest-agent.ts";
import { parseAgent } from "../config/agent.ts";
import { drivesOf, isCdrom } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { checkNonMigratable } from "../migration/non-migratable.ts";
import { saveState } from "../power/suspend.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { deleteSnapshot } from "./delete.ts";

// `snapshot_create` in pve-guest-common `src/PVE/AbstractConfig.pm`.

export interface SnapshotRequest {
  readonly vmid: number;
  readonly name: string;
  readonly description: string | undefined;
  /** With the contents of the memory. */
  readonly vmstate: boolean;
}

const notInSnapshots = new Set(["snapstate", "snaptime", "vmstate", "lock", "description"]);

/** `__snapshot_copy_config`: the options that a snapshot copies from the VM, and a rollback from the snapshot. */
export function snapshotOptions(section: Section): Section {
  const entries = Object.entries(section);
  return Object.fromEntries(entries.filter(([key]) => !notInSnapshots.has(key) && !/^unused\d+$/.test(key)));
}

/** `has_feature`: whether all disks have it. */
export function allDisksHave(
  process: Process,
  config: Section,
  feature: "snapshot" | "clone" | "copy",
  snapshot?: string,
): boolean {
  return drivesOf(config)
    .filter(([, drive]) => !isCdrom(drive))
    .every(([, drive]) => hasFeature(process.sim.world, feature, drive.file, snapshot));
}

/** Writes the snapshot's section and locks the VM; returns whether it includes the memory. */
async function prepare(task: Task, { vmid: id, name, description, vmstate }: SnapshotRequest): Promise<boolean> {
  return await withConfigLock(task, id, async () => {
    const conf = loadConfig(task, id);
    if (isTemplate(conf)) {
      die("you can't take a snapshot if it's a template");
    }
    checkLock(conf);
    checkNonMigratable(conf.config, vmstate);
    if (conf.snapshots[name] !== undefined) {
      die(`snapshot name '${name}' already used`);
    }
    if (!allDisksHave(task, conf.config, "snapshot")) {
      die("snapshot feature is not available");
    }
    const withState = vmstate && getVm(task, id).run !== undefined;
    const state = withState ? await saveState(task, id, conf.config, { name }) : {};
    conf.snapshots[name] = {
      ...snapshotOptions(conf.config),
      ...state,
      snapstate: "prepare",
      snaptime: String(task.sim.clock.stamp()),
      ...(isTrue(description) && { description }),
    };
    conf.config["lock"] = "snapshot";
    saveConfig(task, id, conf);
    return withState;
  });
}

async function commit(task: Task, { vmid: id, name }: SnapshotRequest): Promise<void> {
  await withConfigLock(task, id, () => {
    const conf = loadConfig(task, id);
    if (conf.config["lock"] !== "snapshot") {
      die("missing snapshot lock");
    }
    delete getSnapshot(conf, name)["snapstate"];
    delete conf.config["lock"];
    conf.config["parent"] = name;
    saveConfig(task, id, conf);
  });
}

/** `guest_fs_freeze_applicable`: a running guest is frozen, unless its memory is saved as well. */
async function announceFreeze(task: Task, id: number): Promise<void> {
  const guest = getVm(task, id);
  const agent = parseAgent(guest.config["agent"]);
  if (!isTrue(agent["enabled"]) || !isTrue(agent["freeze-fs"] ?? "1")) {
    task.print("skipping guest filesystem freeze - disabled in VM options");
  } else if (!(await isAgentRunning(task, guest, { quiet: true }))) {
    task.print("skipping guest filesystem freeze - agent configured but not running?");
  }
}

export async function createSnapshot(task: Task, request: SnapshotRequest): Promise<void> {
  const { vmid: id, name } = request;
  const withState = await prepare(task, request);
  const done = new Set<string>();
  try {
    if (withState) {
      task.print("saving VM state and RAM using storage");
      await task.sleep(1);
      task.print("completed saving the VM state in 1s");
    } else if (getVm(task, id).run !== undefined) {
      await announceFreeze(task, id);
    }
    for (const [slot, drive] of drivesOf(getVm(task, id).snapshots[name] ?? {})) {
      if (!isCdrom(drive)) {
        task.print(`snapshotting 'drive-${slot}' (${drive.file})`);
        snapshotImage(task.sim.world, drive.file, task.node, name);
      }
      done.add(slot);
    }
  } catch (thrown) {
    task.print("snapshot create failed: starting cleanup");
    await deleteSnapshot(task, { vmid: id, name, force: true }, done).catch((failure: unknown) => {
      task.print(failureText(failure));
    });
    die(failureText(thrown));
  }
  await commit(task, request);
}
