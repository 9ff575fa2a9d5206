import { setTimeout as sleep } from "node:timers/promises";
import { Failure, type Session } from "#kit";
import { parseJobId } from "./job-id.ts";

interface Removal {
  readonly api: Session;
  readonly id: string;
  readonly signal?: AbortSignal | undefined;
}

/** PVE's `DELETE` only marks a job; pvescheduler on the node of the guest removes it. */
export async function removeJob(removal: Removal, keepsCopies: boolean): Promise<void> {
  const { api, id, signal } = removal;
  await api.replication.remove(id, keepsCopies ? { keep: true } : {}, { signal });
  await awaitRemoval(removal);
}

/** Waits until the job has gone, as long as a task may take without progress. */
export async function awaitRemoval(removal: Removal): Promise<void> {
  const { api, id, signal } = removal;
  const { timeoutMs, pollMs } = api.settings.tasks;
  const startedAt = performance.now();
  while ((await api.replication.find(id, { signal })) !== null) {
    if (performance.now() - startedAt > timeoutMs) throw await stillThere(removal, timeoutMs);
    await sleep(pollMs, undefined, { signal });
  }
}

async function stillThere({ api, id, signal }: Removal, waitedMs: number): Promise<Failure> {
  const job = await api.replication.find(id, { signal });
  const { guests, isOnline } = await api.inventory.snapshot();
  const source = guests.get(parseJobId(id)?.vmid ?? 0)?.node;
  const status = source === undefined ? null : await api.replication.status(source, id, { signal });
  const reasons = [
    ...(job !== null && !isOnline(job.target) ? [`Its target, node ${job.target}, is offline.`] : []),
    ...(source !== undefined && !isOnline(source) ? [`The node of its guest, ${source}, is offline.`] : []),
    ...(status?.error === undefined ? [] : [`Its last run failed: ${status.error}`]),
  ];
  const cause = reasons.length > 0 ? reasons.join(" ") : "A copy may still be under way.";
  return new Failure(
    `Replication job ${id} is not removed yet`,
    `It is marked for removal, and was still there after ${Math.round(waitedMs / 1000)} s. ${cause} Proxmox VE removes it as soon as it can; then apply again. To remove it at once and leave its copies behind, run on a node: pvesr delete ${id} --force`,
  );
}
