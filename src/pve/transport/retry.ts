import pRetry from "p-retry";
import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Call, Send } from "./call.ts";
import { isCertificateFailure } from "./connection-failures.ts";

/** Long enough for a restart of pveproxy; for a host that stays down, fail-over and then the user must act. */
const waits = { retries: 2, minTimeout: 300, factor: 3 };

/**
 * Repeats a request without a response, if nothing was done or a repetition is harmless. Locks are handled elsewhere.
 */
export function retryUnanswered(send: Send, logger: Logger): Send {
  return (call) =>
    pRetry(() => send(call), {
      ...waits,
      signal: call.signal,
      shouldRetry: ({ error }) => isWorthRetrying(error, call),
      onFailedAttempt: ({ error, attemptNumber, retriesLeft }) => {
        if (retriesLeft > 0 && isWorthRetrying(error, call)) {
          logger.debug("trying again", {
            event: "retry",
            method: call.method,
            path: call.path,
            template: call.template,
            attempt: attemptNumber,
            error: error.message,
          });
        }
      },
    });
}

function isWorthRetrying(error: Error, call: Call): boolean {
  if (!(error instanceof PveError) || (error.kind !== "unreachable" && error.kind !== "timeout")) {
    return false;
  }
  return !isCertificateFailure(error) && (call.isRepeatable || !error.mayHaveHappened);
}
