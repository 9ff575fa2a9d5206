import { PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Call, Send } from "./call.ts";
import { isCertificateFailure } from "./connection-failures.ts";

/** One host, for this wrapper. */
export interface Host {
  readonly origin: string;
  readonly send: Send;
}

/**
 * Uses one host and stays with it. When it cannot be reached, the next one is used, but only for a request that was
 * never sent or may be sent twice; and never after a refused certificate. The next one has to be of the same cluster.
 */
export function failOver(hosts: readonly Host[], logger: Logger, membership: Membership): Send {
  let current = 0;
  return async (call) => {
    const failures: PveError[] = [];
    const first = current;
    for (let step = 0; step < hosts.length; step++) {
      const index = (first + step) % hosts.length;
      const host = hosts[index] as Host;
      try {
        if (hosts.length > 1) await membership.check(host, call);
        const answer = await host.send(call);
        current = index;
        membership.endpoint = host.origin;
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

/** Which hosts are of the cluster that the first one was of. */
export class Membership {
  /** The host that has answered last. */
  endpoint: string | undefined;
  #cluster: string | undefined;
  readonly #checked = new Map<Host, Promise<void>>();
  readonly #clusterOf: (host: Host, call: Call) => Promise<string | undefined>;
  readonly #isChecked: boolean;

  constructor(clusterOf: (host: Host, call: Call) => Promise<string | undefined>, isChecked: boolean) {
    this.#clusterOf = clusterOf;
    this.#isChecked = isChecked;
  }

  /** The fingerprint of the cluster's authority, if it was asked for. */
  get cluster(): string | undefined {
    return this.#cluster;
  }

  /** Asks each host once, with the credentials of the call. */
  check(host: Host, call: Call): Promise<void> {
    // A login has no credentials yet; what follows it has.
    if (!this.#isChecked || call.template === "/access/ticket") return Promise.resolve();
    const known = this.#checked.get(host) ?? this.#ask(host, call);
    this.#checked.set(host, known);
    known.catch(() => this.#checked.delete(host));
    return known;
  }

  async #ask(host: Host, call: Call): Promise<void> {
    const cluster = await this.#clusterOf(host, call);
    this.#cluster ??= cluster;
    if (cluster === undefined || cluster === this.#cluster) return;
    throw new PveError("invalid", `${host.origin} belongs to another cluster than the endpoints before it`);
  }
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
