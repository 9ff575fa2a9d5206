/** Lets so many in at a time, first come first served. */
export interface Semaphore {
  /** Waits for a place, works, gives the place back. An aborted wait leaves the queue. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Those inside and those waiting. */
  readonly size: number;
}

export function createSemaphore(limit: number): Semaphore {
  const waiting: (() => void)[] = [];
  let inside = 0;

  const enter = (signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      if (inside < limit) {
        inside += 1;
        resolve();
        return;
      }
      const onAbort = () => {
        waiting.splice(waiting.indexOf(admit), 1);
        reject(signal?.reason);
      };
      // Whoever leaves hands the place over, so `inside` stays as it is.
      const admit = () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      waiting.push(admit);
      signal?.addEventListener("abort", onAbort, { once: true });
    });

  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) {
      inside -= 1;
    } else {
      next();
    }
  };

  return {
    async run(work, signal) {
      await enter(signal);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    get size() {
      return inside + waiting.length;
    },
  };
}
