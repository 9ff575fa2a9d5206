import { die } from "../core/kernel/failure.ts";
import type { World } from "../core/world/world.ts";

/** The guest a job belongs to: `100-0` is the first job of guest 100. */
export const guestOf = (id: string) => Number(id.split("-")[0]);

/** `check_for_existing_jobs` of pve-guest-common `src/PVE/ReplicationConfig.pm`. */
export function refuseReplicated({ replication }: World, vmid: number): void {
  const id = Object.keys(replication.jobs).find((candidate) => guestOf(candidate) === vmid);
  if (id !== undefined) {
    die(`There is a replication job '${id}' for guest '${vmid}' - Please remove that first.`);
  }
}

/** The same without an error. */
export const isReplicated = ({ replication }: World, vmid: number): boolean =>
  Object.keys(replication.jobs).some((id) => guestOf(id) === vmid);

/** `remove_vmid_jobs`. */
export function removeGuestJobs({ replication }: World, vmid: number): void {
  for (const id of Object.keys(replication.jobs).filter((candidate) => guestOf(candidate) === vmid)) {
    delete replication.jobs[id];
    delete replication.states[id];
  }
}

/** `switch_replication_job_target`: reverses the direction of a guest's jobs after a migration. */
export function switchReplication({ replication }: World, vmid: number, from: string, to: string): void {
  for (const [id, { options }] of Object.entries(replication.jobs)) {
    if (guestOf(id) === vmid) {
      options["target"] = options["target"] === to ? from : (options["target"] ?? "");
      options["source"] = to;
    }
  }
}

/** `find_local_replication_job`. */
export function isReplicatedTo({ replication }: World, vmid: number, target: string): boolean {
  return Object.entries(replication.jobs).some(
    ([id, { options }]) => guestOf(id) === vmid && options["target"] === target,
  );
}
