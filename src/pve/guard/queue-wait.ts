import type { Logger } from "../logger.ts";

/** Shorter waits are not logged. */
const shortestWaitMs = 5;

/** From here on a wait is of interest to users who do not debug. */
const longWaitMs = 1000;

/** How often a wait that goes on is logged. */
const repeatMs = 10_000;

/** Runs work by way of a queue, and logs how long it waits there: while it does, and when it starts. */
export async function logQueueWait<T>(
  logger: Logger,
  what: string,
  enqueue: (work: () => Promise<T>) => Promise<T>,
  work: () => Promise<T>,
): Promise<T> {
  const asked = performance.now();
  const waitedMs = () => Math.round(performance.now() - asked);
  const timer = setInterval(() => logger.info("still queued", { what, duration_ms: waitedMs() }), repeatMs);
  try {
    return await enqueue(() => {
      clearInterval(timer);
      const duration_ms = waitedMs();
      const fields = { what, event: "step", step: "queue", outcome: "ok", duration_ms };
      if (duration_ms >= shortestWaitMs) logger[duration_ms >= longWaitMs ? "info" : "debug"]("left the queue", fields);
      return work();
    });
  } finally {
    clearInterval(timer);
  }
}
