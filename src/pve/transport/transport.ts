import { actAsRoot } from "../auth/act-as-root.ts";
import { authenticate } from "../auth/authenticate.ts";
import { type Credentials, type PasswordCredentials, secretsOf } from "../auth/credentials.ts";
import { createLogin, type Ticket } from "../auth/login.ts";
import { OwnCredentials } from "../auth/own-credentials.ts";
import type { Logger } from "../logger.ts";
import type { Send } from "./call.ts";
import { clusterOf } from "./cluster-of.ts";
import { type EndpointSettings, openEndpoint } from "./endpoint.ts";
import { failOver, Membership } from "./fail-over.ts";
import { limitConcurrency } from "./limit-concurrency.ts";
import { logCalls } from "./log-calls.ts";
import { rejectFailures } from "./refuse.ts";
import { retryUnanswered } from "./retry-unanswered.ts";
import { createServerClock } from "./server-clock.ts";

export interface TransportSettings extends EndpointSettings {
  readonly endpoints: readonly URL[];
  readonly credentials: Credentials;
  readonly root: Credentials | undefined;
  readonly userAgent: string;
  readonly clusterCheck: "on" | "off";
}

export interface Transport {
  readonly send: Send;
  /** The fingerprint of the cluster's authority; undefined if there is one endpoint only, or it is not known. */
  cluster(): string | undefined;
  /** The endpoint that has answered last. */
  endpoint(): string | undefined;
  /** What requests are sent with: the given credentials, until the caller changes its own. */
  readonly own: OwnCredentials;
  login(credentials: PasswordCredentials): Promise<Ticket>;
  /** The server's clock, in Unix seconds. */
  serverTime(): number;
  close(): Promise<void>;
}

/**
 * The chain of wrappers for every request, from the caller down to the socket:
 *
 *     retry       again if there was no response and that is safe
 *     limit       how many at a time
 *     credentials token, or a ticket that is renewed in time; what is reserved for root@pam with a ticket of that user
 *     fail over   to the next host when one cannot be reached
 *     refuse      a response that is not a success becomes a PveError
 *     log         one line per exchange
 *     endpoint    undici
 */
export function createTransport(
  settings: TransportSettings,
  { logger, conceal }: { logger: Logger; conceal: (secret: string) => void },
): Transport {
  const clock = createServerClock();
  const endpoints = settings.endpoints.map((url) => openEndpoint(url, settings));
  const hosts = endpoints.map(({ origin, send }) => ({
    origin,
    send: clock.observe(rejectFailures(logCalls(send, logger, origin))),
  }));
  const membership = new Membership(clusterOf, settings.clusterCheck === "on");
  const named = withUserAgent(failOver(hosts, logger, membership), settings.userAgent);
  const sendAs = (own: OwnCredentials) => authenticate(named, { own, logger, conceal });
  const own = new OwnCredentials(settings.credentials);
  const root = settings.root && new OwnCredentials(settings.root);
  const authenticated = root ? actAsRoot(sendAs(own), sendAs(root), logger) : sendAs(own);
  const limited = limitConcurrency(authenticated, settings.concurrency);
  return {
    send: retryUnanswered(limited, logger),
    own,
    cluster: () => membership.cluster,
    endpoint: () => membership.endpoint,
    async login(given) {
      secretsOf(given).forEach(conceal);
      const obtained = await createLogin(given)(named);
      for (const secret of [obtained.ticket, obtained.csrfToken]) conceal(secret);
      return obtained;
    },
    serverTime: clock.now,
    async close() {
      await Promise.all(endpoints.map((endpoint) => endpoint.close()));
    },
  };
}

function withUserAgent(send: Send, userAgent: string): Send {
  return (call) => send({ ...call, headers: { "user-agent": userAgent, accept: "application/json", ...call.headers } });
}
