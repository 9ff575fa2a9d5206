import { createSemaphore, type Semaphore } from "../semaphore.ts";

/** One write at a time per guest: PVE would make the second wait for a lock, and fail it after ten seconds. */
export interface WriteQueue {
  run<T>(vmid: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export function createWriteQueue(): WriteQueue {
  const guests = new Map<number, Semaphore>();
  return {
    async run(vmid, work, signal) {
      const queue = guests.get(vmid) ?? createSemaphore(1);
      guests.set(vmid, queue);
      try {
        return await queue.run(work, signal);
      } finally {
        if (queue.size === 0) {
          guests.delete(vmid);
        }
      }
    },
  };
}
