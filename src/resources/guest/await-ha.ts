import { setTimeout as sleep } from "node:timers/promises";
import { Failure, type Session } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";

/** At most; less where tasks are looked at more often. */
const longestPauseMs = 500;

/**
 * For a VM under high availability the task ends when the request is queued; the HA manager carries it out some seconds
 * later (pve-ha-manager: src/PVE/HA/Manager.pm). Waits until it has.
 */
export async function untilCarriedOut(
  { api, signal }: { api: Session; signal: AbortSignal },
  vm: GuestAddress,
  { upid }: TaskResult,
  isDone: () => Promise<boolean>,
  patienceMs?: number,
): Promise<void> {
  if (/^UPID:(?:[^:]*:){4}ha/.test(upid)) await untilManagerActs({ api, signal }, vm, upid, isDone, patienceMs);
}

export async function untilManagerActs(
  { api, signal }: { api: Session; signal: AbortSignal },
  vm: GuestAddress,
  request: string,
  isDone: () => Promise<boolean>,
  patienceMs?: number,
): Promise<void> {
  const { timeoutMs, pollMs } = api.settings.tasks;
  const pauseMs = Math.min(pollMs, longestPauseMs);
  const until = performance.now() + (patienceMs ?? timeoutMs);
  while (!(await isDone())) {
    if (performance.now() > until) {
      throw new Failure(
        "HA manager does not act",
        `VM ${vm.vmid} is managed by HA, which took the request (${request}) and has not carried it out. Look at its state in \`ha-manager status\`.`,
      );
    }
    await sleep(pauseMs, undefined, { signal });
    api.inventory.forget();
  }
}
