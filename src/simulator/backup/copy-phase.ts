import type { Task } from "../core/kernel/process.ts";
import type { Guest } from "../core/world/guest.ts";
import { startContainer, stopContainer } from "../lxc/power.ts";
import { isAgentRunning } from "../qemu/agent/guest-agent.ts";
import { parseAgent } from "../qemu/config/agent.ts";
import { isTrue } from "../qemu/config/perl.ts";
import { startVm } from "../qemu/power/start.ts";
import { stopUnlocked } from "../qemu/power/stop.ts";
import type { BackupVolume } from "./volumes.ts";
import type { Work } from "./work.ts";

// What happens to a guest during its backup, by the mode of the backup.

/** What happens to the guest while its data is read, as the log names it. */
export async function copyData(work: Work, mode: string, seconds: number): Promise<void> {
  const { task, guest, log } = work;
  if (guest.type === "lxc") {
    await task.sleep(seconds);
    log("Total bytes written: 61440 (60KiB, 7.8MiB/s)");
    return;
  }
  const wasRunning = guest.run !== undefined;
  if (!wasRunning) {
    log("starting kvm to execute backup task");
  } else if (mode === "snapshot") {
    await freeze(work);
  }
  log("starting backup via QMP command");
  log(`started backup task '${task.sim.random.uuid()}'`);
  if (wasRunning) {
    log("resuming VM again");
  }
  await task.sleep(seconds);
  log("100% (done)");
  if (!wasRunning) {
    log("stopping kvm after backup task");
  }
}

async function freeze({ task, guest, log }: Work): Promise<void> {
  const agent = parseAgent(guest.config["agent"]);
  if (!isTrue(agent["enabled"]) || !isTrue(agent["freeze-fs"] ?? "1")) {
    log("skipping guest filesystem freeze - disabled in VM options");
  } else if (await isAgentRunning(task, guest, { quiet: true })) {
    log("issuing guest-agent 'fs-freeze' command");
    log("issuing guest-agent 'fs-thaw' command");
  } else {
    log("skipping guest filesystem freeze - agent configured but not running?");
  }
}

/** Stops or suspends the guest for as long as the mode requires; returns a function that starts it again. */
export async function holdGuest(
  work: Work,
  mode: string,
  volumes: readonly BackupVolume[],
): Promise<() => Promise<void>> {
  const { task, guest, options, log } = work;
  const nothing = () => Promise.resolve();
  if (guest.run === undefined) {
    return nothing;
  }
  if (mode === "stop") {
    log("stopping virtual guest");
    await stopGuest(task, guest, options.stopSeconds);
    return async () => {
      log("restarting vm");
      await (guest.type === "qemu" ? startVm(task, guest.vmid) : startContainer(task, guest.vmid));
      log("guest is online again after <1 seconds");
    };
  }
  if (mode === "suspend") {
    log("suspending guest");
    if (guest.type === "lxc") {
      log("resuming guest");
      log("guest is online again after <1 seconds");
      return nothing;
    }
    return async () => {
      log("resume vm");
      log("guest is online again after <1 seconds");
    };
  }
  if (guest.type === "lxc") {
    if (volumes.length > 1) {
      log("suspend vm to make snapshot");
    }
    log("create storage snapshot 'vzdump'");
    if (volumes.length > 1) {
      log("resume vm");
      log("guest is online again after <1 seconds");
    }
  }
  return nothing;
}

async function stopGuest(task: Task, guest: Guest, seconds: number): Promise<void> {
  delete guest.config["lock"];
  if (guest.type === "qemu") {
    await stopUnlocked(task, guest.vmid, { shutdown: true, force: false, timeout: seconds, skipLock: true });
  } else {
    await stopContainer(task, guest.vmid, { seconds, kill: false });
  }
  guest.config["lock"] = "backup";
}
