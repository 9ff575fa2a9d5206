import type { Session } from "./session.ts";

/** How many polls of the task list nothing has to happen before an object of another owner must be in the way. */
const gracePolls = 3;

interface Removal {
  readonly api: Session;
  readonly signal: AbortSignal;
}

/**
 * Removes what PVE keeps while something is in it. `remove` returns the refusal, or null once it is gone; while other changes
 * of this run are under way, or are about to begin, a refusal is not the last word: what is in it may go after them.
 */
export async function removeAfterOthers({ api, signal }: Removal, remove: () => Promise<Error | null>): Promise<void> {
  const graceMs = gracePolls * api.settings.tasks.pollMs;
  for (;;) {
    const { ended } = api.changes;
    const refusal = await api.departures.during(remove);
    if (refusal === null) return;
    const isMore = () => api.changes.ended > ended;
    await api.changes.until(isMore, graceMs, signal);
    if (!isMore()) throw refusal;
  }
}
