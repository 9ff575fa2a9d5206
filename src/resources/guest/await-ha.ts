import { setTimeout as sleep } from "node:timers/promises";
import { Failure, type Session } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";

interface Waiting {
  readonly kind?: { readonly title: string };
  readonly api: Session;
  readonly signal: AbortSignal;
}

/** At most; less where tasks are polled more often. */
const longestPauseMs = 500;

/**
 * For a guest under high availability the task ends when the request is queued; the HA manager carries it out some
 * seconds later (pve-ha-manager: src/PVE/HA/Manager.pm). Waits until it has.
 */
export async function untilCarriedOut(
  context: Waiting,
  guest: GuestAddress,
  { upid }: TaskResult,
  isDone: () => Promise<boolean>,
  patienceMs?: number,
): Promise<void> {
  if (/^UPID:(?:[^:]*:){4}ha/.test(upid)) await untilManagerActs(context, guest, upid, isDone, patienceMs);
}

export async function untilManagerActs(
  { kind = { title: "Guest" }, api, signal }: Waiting,
  guest: GuestAddress,
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
        `${kind.title} ${guest.vmid} is managed by HA, which took the request (${request}) and has not carried it out. Look at its state in \`ha-manager status\`.`,
      );
    }
    await sleep(pauseMs, undefined, { signal });
    api.inventory.forget();
  }
}
