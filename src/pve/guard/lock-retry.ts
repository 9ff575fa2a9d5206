import { isPveError, type LockHeld, type PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { type RetryPolicy, retry } from "../retry.ts";
import type { LockSettings } from "../settings.ts";

export interface LockRetryOptions {
  readonly settings: LockSettings;
  readonly logger: Logger;
  /** The operation, for the log: "configure VM 401". */
  readonly what: string;
  readonly signal?: AbortSignal | undefined;
  /** Finds the holder of the lock, for the final error only. */
  readonly findHolder?: (lock: LockHeld) => Promise<string | undefined>;
}

/**
 * Tries again while a transient lock is held elsewhere: at once, then after 2, 3, 4 and 5 s by default. Every other
 * error is passed on unchanged.
 */
export async function withLockRetry<T>(attempt: (number: number) => Promise<T>, options: LockRetryOptions): Promise<T> {
  const { settings, logger, what, signal } = options;
  let waitedMs = 0;
  let attempts = 0;
  const policy: RetryPolicy = {
    ...settings,
    signal,
    isWorthRetrying: isTransientLock,
    onRetry({ message: error }, { attempt: number, waitMs }) {
      logger.info("locked, waiting", { event: "lock_wait", what, attempt: number, wait_ms: waitMs, error });
      waitedMs += waitMs;
    },
  };
  try {
    return await retry(policy, (number) => {
      attempts = number;
      logger.debug("attempt", { what, attempt: number });
      return attempt(number);
    });
  } catch (reason) {
    throw isTransientLock(reason) ? await exhausted(reason, attempts, waitedMs, options) : reason;
  }
}

function isTransientLock(reason: unknown): reason is PveError {
  return isPveError(reason, "locked") && reason.isTransientLock;
}

async function exhausted(
  error: PveError,
  attempts: number,
  waitedMs: number,
  { what, logger, findHolder }: LockRetryOptions,
): Promise<PveError> {
  const { lock } = error.details;
  const found = lock && (await findHolder?.(lock).catch(() => undefined));
  const holder = found ?? lock?.holder;
  const tries = `${attempts} ${attempts === 1 ? "attempt" : "attempts"}, ${waitedMs / 1000} s waited`;
  const message = `${error.message} (${tries}${holder === undefined ? "" : `, held by ${holder}`})`;
  logger.debug("still locked, giving up", { what, attempts, waited_ms: waitedMs });
  return error.with({
    message,
    attempts,
    waitedMs,
    ...(lock && { lock: { ...lock, ...(holder !== undefined && { holder }) } }),
  });
}
