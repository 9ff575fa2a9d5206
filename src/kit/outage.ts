import { AlreadyReported } from "#framework";
import type { PveError } from "#pve";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";
import { SharedFailure } from "./shared-failure.ts";

/** Clusters that a refresh has found to be gone. */
const outages = new WeakMap<Session, SharedFailure>();
const counts = new WeakMap<PveError, number>();

/** The whole cluster, not one node of it: those answer through another node, with a status. */
const isOutage = (reason: unknown): reason is PveError =>
  isPveError(reason, "auth") || (isPveError(reason, "unreachable", "timeout") && reason.details.status === undefined);

/** Whether a refresh of this run has failed for want of the cluster. The plan has failed with it. */
export const isGone = (api: Session): boolean => outages.has(api);

/** How many more resources the failure has hit. */
export const othersHitBy = (error: PveError): number => counts.get(error) ?? 0;

/**
 * Refreshes one of many resources. The first that meets an outage reports it for all. The others are left as they are.
 */
export async function refreshing<R>(api: Session, read: () => Promise<R>): Promise<R> {
  passBy(api);
  try {
    return await read();
  } catch (reason) {
    if (!isOutage(reason)) throw reason;
    passBy(api);
    const outage = new SharedFailure();
    outages.set(api, outage);
    await outage.untilQuiet();
    counts.set(reason, outage.others);
    throw reason;
  }
}

function passBy(api: Session): void {
  const outage = outages.get(api);
  if (outage === undefined) return;
  outage.others += 1;
  throw new AlreadyReported();
}
