/** Limits how many run at a time, in order of arrival. */
export interface Semaphore {
  /** Waits for a slot, runs, releases the slot. An aborted wait leaves the queue. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** The number that runs or waits. */
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
      // The finished one passes its slot on, so `inside` does not change.
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
