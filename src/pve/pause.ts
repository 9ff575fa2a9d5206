import { setTimeout as sleep } from "node:timers/promises";

/** Waits, unless the caller aborts: then it rejects with the caller's own reason. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, signal && { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
