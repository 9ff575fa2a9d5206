import { setTimeout as sleep } from "node:timers/promises";
import { AlreadyReported } from "#framework";
import type { PveError } from "#pve";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

/** A cluster that a refresh has found to be gone, and how many more resources have asked for it since. */
interface Outage {
  others: number;
}

const outages = new WeakMap<Session, Outage>();
const counts = new WeakMap<PveError, number>();

/** The whole cluster, not one node of it: those answer through another node, with a status. */
const isOutage = (reason: unknown): reason is PveError =>
  isPveError(reason, "auth") || (isPveError(reason, "unreachable", "timeout") && reason.details.status === undefined);

/** Whether a refresh of this run has failed for want of the cluster. The plan has failed with it. */
export const isGone = (api: Session): boolean => outages.has(api);

/** How many more resources the failure has hit. */
export const othersHitBy = (error: PveError): number => counts.get(error) ?? 0;

/** Terraform asks for the next resources within milliseconds of an answer; when no further request comes, all have asked. */
const quietMs = 250;
const patienceMs = 5000;

/**
 * Refreshes one of many resources. Each reports its own failure to Terraform and none knows which is the last, so the first
 * that meets an outage holds its answer until the others have come by, and reports for all of them. The others are left as
 * they are: with one error the whole plan fails.
 */
export async function refreshing<R>(api: Session, read: () => Promise<R>): Promise<R> {
  passBy(api);
  try {
    return await read();
  } catch (reason) {
    if (!isOutage(reason)) throw reason;
    passBy(api);
    const outage = { others: 0 };
    outages.set(api, outage);
    await untilQuiet(outage);
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

async function untilQuiet(outage: Outage): Promise<void> {
  const until = performance.now() + patienceMs;
  for (let seen = -1; seen !== outage.others && performance.now() < until; ) {
    seen = outage.others;
    await sleep(quietMs);
  }
}
