import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { retry } from "../retry.ts";
import type { Call, Send } from "./call.ts";
import { isCertificateFailure } from "./connection-failures.ts";

/** Long enough for a restart of pveproxy; for a host that stays down, fail-over and then the user must act. */
const waits = { attempts: 3, waitsMs: [300, 900] };

/**
 * Repeats a request without a response, if nothing was done or a repetition is harmless. Locks are handled elsewhere.
 */
export function retryUnanswered(send: Send, logger: Logger): Send {
  return (call) => {
    const { method, path, template, signal } = call;
    const policy = {
      ...waits,
      signal,
      isWorthRetrying: (error: Error) => isWorthRetrying(error, call),
      onRetry: ({ message: error }: Error, { attempt }: { attempt: number }) =>
        logger.debug("trying again", { event: "retry", method, path, template, attempt, error }),
    };
    return retry(policy, () => send(call));
  };
}

function isWorthRetrying(error: Error, call: Call): boolean {
  if (!(error instanceof PveError) || (error.kind !== "unreachable" && error.kind !== "timeout")) {
    return false;
  }
  return !isCertificateFailure(error) && (call.isRepeatable || !error.mayHaveHappened);
}
