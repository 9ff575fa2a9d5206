import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { retry } from "../retry.ts";
import type { Call, Send } from "./call.ts";
import { isCertificateFailure } from "./connection-failures.ts";

/** Long enough for a restart of pveproxy; for a host that stays down, fail-over and then the user must act. */
const attempts = 3;

/** A server that limits requests is alive, and counts them by the second or by the minute. */
const attemptsWhenLimited = 5;
const waitsMs = [300, 900, 2000, 4000];

/** What asks for a longer wait than this is left to the user. */
const longestWaitMs = 60_000;

/**
 * Repeats a request without a response, if nothing was done or a repetition is harmless, after the wait that the server
 * asks for. Locks are handled elsewhere.
 */
export function retryUnanswered(send: Send, logger: Logger): Send {
  return (call) => {
    const { method, path, template, signal } = call;
    const policy = {
      attempts: attemptsWhenLimited,
      waitsMs,
      signal,
      isWorthRetrying: (error: Error, attempt: number) => isWorthRetrying(error, call, attempt),
      waitAskedMs: (error: Error) => (error instanceof PveError ? error.details.retryAfterMs : undefined),
      onRetry: ({ message: error }: Error, { attempt, waitMs }: { attempt: number; waitMs: number }) =>
        logger[waitMs > 1000 ? "info" : "debug"]("trying again", {
          ...{ event: "retry", method, path, template, attempt, error },
          wait_ms: waitMs,
        }),
    };
    return retry(policy, () => send(call));
  };
}

function isWorthRetrying(error: Error, call: Call, attempt: number): boolean {
  if (!(error instanceof PveError) || (error.kind !== "unreachable" && error.kind !== "timeout")) {
    return false;
  }
  const { status, retryAfterMs = 0 } = error.details;
  if (attempt >= (status === 429 ? attemptsWhenLimited : attempts) || retryAfterMs > longestWaitMs) {
    return false;
  }
  return !isCertificateFailure(error) && (call.isRepeatable || !error.mayHaveHappened);
}
