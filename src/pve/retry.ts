import pRetry from "p-retry";
import { pause } from "./pause.ts";

/** When a failed attempt is repeated. */
export interface RetryPolicy {
  /** The first attempt included. */
  readonly attempts: number;
  /** The wait after the first failure, after the second …; the last one is also used for all others. Default: none. */
  readonly waitsMs?: readonly number[];
  /** Whether another attempt may succeed and does no harm. Any other error is passed on unchanged. */
  isWorthRetrying(error: Error, attempt: number): boolean;
  /** The wait that an error itself asks for, in place of the policy's. */
  waitAskedMs?(error: Error): number | undefined;
  /** Called before the wait, for the log. */
  onRetry?(error: Error, next: { readonly attempt: number; readonly waitMs: number }): void;
  /** Ends the wait. The result of an attempt is returned even if the caller has aborted meanwhile. */
  readonly signal?: AbortSignal | undefined;
}

/** Attempts something until it succeeds or the policy says otherwise. `attempt` is passed its number, from 1. */
export async function retry<T>(policy: RetryPolicy, attempt: (number: number) => Promise<T>): Promise<T> {
  const { attempts, waitsMs = [], signal } = policy;
  signal?.throwIfAborted();
  return pRetry(attempt, {
    retries: attempts - 1,
    minTimeout: 0,
    // Not p-retry's `signal`, which also discards results. An error that the abort has caused says more than its reason.
    onFailedAttempt({ error }) {
      if (signal?.aborted) throw error.cause === signal.reason ? error : signal.reason;
    },
    async shouldRetry({ error, attemptNumber: number }) {
      if (!policy.isWorthRetrying(error, number)) {
        return false;
      }
      const waitMs = policy.waitAskedMs?.(error) ?? waitsMs[number - 1] ?? waitsMs.at(-1) ?? 0;
      policy.onRetry?.(error, { attempt: number, waitMs });
      if (waitMs > 0) {
        await pause(waitMs, signal);
      }
      return true;
    },
  });
}
