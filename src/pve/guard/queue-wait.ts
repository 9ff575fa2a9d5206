import type { Logger } from "../logger.ts";

/** Shorter waits are not logged. */
const shortestWaitMs = 5;

/** Work that logs, when it starts, how long it was queued. */
export function logQueueWait<T>(logger: Logger, what: string, work: () => Promise<T>): () => Promise<T> {
  const asked = performance.now();
  return () => {
    const waitedMs = Math.round(performance.now() - asked);
    if (waitedMs >= shortestWaitMs) {
      const fields = { event: "step", step: "queue", outcome: "ok", duration_ms: waitedMs };
      logger.debug("left the queue", { what, ...fields });
    }
    return work();
  };
}
