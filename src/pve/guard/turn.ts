import type { Logger } from "../logger.ts";

/** Less than this is nobody's wait. */
const shortestWaitMs = 5;

/** Work that says, when its turn has come, how long it had to wait for it. */
export function saysItsTurn<T>(logger: Logger, what: string, work: () => Promise<T>): () => Promise<T> {
  const asked = performance.now();
  return () => {
    const waitedMs = Math.round(performance.now() - asked);
    if (waitedMs >= shortestWaitMs) {
      const fields = { event: "step", step: "queue", outcome: "ok", duration_ms: waitedMs };
      logger.debug("its turn has come", { what, ...fields });
    }
    return work();
  };
}
