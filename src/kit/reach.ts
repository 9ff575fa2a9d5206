import type { Logger } from "#framework";
import { isPveError } from "./pve-error.ts";

/** Runs a check that needs the cluster. A plan is made all the same when it cannot be reached; apply checks again. */
export async function ifReachable<T>(
  { log }: { readonly log: Logger },
  look: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (reason) {
    if (!isPveError(reason, "unreachable", "timeout")) throw reason;
    log.warn("the cluster cannot be reached, so the plan is made without it", { error: reason.message });
    return undefined;
  }
}
