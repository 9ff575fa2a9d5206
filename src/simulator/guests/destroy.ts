import { die } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import { splitList } from "../core/schema/format.ts";
import type { World } from "../core/world/world.ts";
import { removeGuestFirewall } from "../firewall/files.ts";
import { removeGuestAccess } from "../pools/membership.ts";
import { type Noun, removeService, serviceId } from "./ha.ts";
import { refuseReplicated, removeGuestJobs } from "./replication-jobs.ts";

// The common part of `destroy_vm` in qemu-server and pve-container.

/** Refuses to destroy a guest that HA or replication refers to, unless these references are purged as well. */
export function checkReferences(world: World, noun: Noun, vmid: number, purge: boolean): void {
  if (purge) {
    return;
  }
  if (world.ha.resources[serviceId(noun, vmid)] !== undefined) {
    die(`unable to remove ${noun} ${vmid} - used in HA resources and purge parameter not set.`);
  }
  refuseReplicated(world, vmid);
}

/**
 * Removes the guest, whose volumes are already deleted, with its ACL entries and firewall; `purge` also removes
 * references to it.
 */
export async function forgetGuest(task: Task, noun: Noun, vmid: number, purge: boolean): Promise<void> {
  const { world } = task.sim;
  await removeGuestAccess(task, vmid);
  removeGuestFirewall(world, vmid);
  if (purge) {
    purgeReferences(task, noun, vmid);
  }
  delete world.guests[vmid];
}

function purgeReferences(task: Task, noun: Noun, vmid: number): void {
  const { world } = task.sim;
  task.print(`purging ${noun} ${vmid} from related configurations..`);
  removeFromBackupJobs(world, vmid);
  removeGuestJobs(world, vmid);
  const sid = serviceId(noun, vmid);
  if (world.ha.resources[sid] !== undefined) {
    removeService(world, sid, true);
    task.print(`NOTE: removed ${noun} ${vmid} from HA resource configuration.`);
  }
}

/**
 * Removes a destroyed guest from backup jobs; a job without guests is removed as well (`remove_vmid_from_backup_jobs`).
 */
function removeFromBackupJobs(world: World, vmid: number): void {
  for (const [id, { options }] of Object.entries(world.backupJobs)) {
    for (const list of ["vmid", "exclude"]) {
      const names = splitList(String(options[list] ?? ""));
      if (!names.includes(String(vmid))) {
        continue;
      }
      const rest = names.filter((name) => name !== String(vmid));
      options[list] = rest.join(",");
      if (rest.length === 0) {
        delete options[list];
        if (list === "vmid") {
          delete world.backupJobs[id];
        }
      }
    }
  }
}
