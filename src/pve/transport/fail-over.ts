import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Send } from "./call.ts";
import { isCertificateFailure } from "./connection-failures.ts";

/** One host, for this wrapper. */
export interface Host {
  readonly origin: string;
  readonly send: Send;
}

/**
 * Uses one host and stays with it. When it cannot be reached, the next one is used, but only for a request that was
 * never sent or may be sent twice; and never after a refused certificate.
 */
export function failOver(hosts: readonly Host[], logger: Logger): Send {
  let current = 0;
  return async (call) => {
    const failures: PveError[] = [];
    const first = current;
    for (let step = 0; step < hosts.length; step++) {
      const index = (first + step) % hosts.length;
      const host = hosts[index] as Host;
      try {
        const answer = await host.send(call);
        current = index;
        return answer;
      } catch (reason) {
        if (!isWorthAnotherHost(reason)) {
          // A response, even a refusal, means that the host is alive.
          current = reason instanceof PveError && reason.details.status !== undefined ? index : current;
          throw reason;
        }
        failures.push(reason);
        if (hosts.length > 1) {
          logger.warn("endpoint cannot be reached", { endpoint: host.origin, error: reason.message });
        }
      }
    }
    throw allFailed(failures);
  };
}

function isWorthAnotherHost(reason: unknown): reason is PveError {
  if (!(reason instanceof PveError) || reason.details.status !== undefined || reason.mayHaveHappened) {
    return false;
  }
  return (reason.kind === "unreachable" || reason.kind === "timeout") && !isCertificateFailure(reason);
}

function allFailed(failures: readonly PveError[]): PveError {
  const [first] = failures;
  if (first === undefined) {
    return new PveError("invalid", "no endpoint is configured");
  }
  return failures.length === 1 ? first : first.with({ message: failures.map(({ message }) => message).join("; ") });
}
