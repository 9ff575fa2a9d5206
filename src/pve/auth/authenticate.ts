import { isPveError, PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Call, Send } from "../transport/call.ts";
import { type Credentials, identityOf } from "./credentials.ts";
import { createLogin, renewTicket, type Ticket } from "./login.ts";

/** Tickets are valid for two hours (pve-access-control: src/PVE/AccessControl.pm, `$ticket_lifetime`). */
const renewAfterMs = 90 * 60 * 1000;

interface Options {
  readonly credentials: Credentials;
  readonly logger: Logger;
  /** Receives every secret that is obtained, so that a log can hide it. */
  readonly conceal: (secret: string) => void;
}

/** Adds the caller's credentials to every request, and names their owner when they are refused. */
export function authenticate(send: Send, options: Options): Send {
  const { credentials } = options;
  const sendAs = withCredentials(send, options);
  const login = { with: credentials.kind, as: identityOf(credentials) };
  return (call) =>
    sendAs(call).catch((reason: unknown) => {
      throw reason instanceof PveError && reason.kind === "auth" ? reason.with({ login }) : reason;
    });
}

function withCredentials(send: Send, options: Options): Send {
  const { credentials } = options;
  if (credentials.kind === "token") {
    const headers = { authorization: `PVEAPIToken=${credentials.token}` };
    return (call) => send({ ...call, headers: { ...call.headers, ...headers } });
  }
  const session = createSession(send, options);
  return async (call) => {
    const used = await session.current();
    try {
      return await send(withTicket(call, used));
    } catch (reason) {
      // Refused before any work was done, so the request may be sent again with a new ticket, once.
      if (!isPveError(reason, "auth") || reason.details.status !== 401 || call.upload !== undefined) {
        throw reason;
      }
      return send(withTicket(call, await session.replace(used, reason)));
    }
  };
}

function withTicket(call: Call, { ticket, csrfToken }: Ticket): Call {
  const cookie = `PVEAuthCookie=${encodeURIComponent(ticket)}`;
  const csrf = call.method === "GET" ? {} : { csrfpreventiontoken: csrfToken };
  return { ...call, headers: { ...call.headers, cookie, ...csrf } };
}

/** The one ticket of this client: obtained when first needed, renewed in time, replaced when refused. */
function createSession(send: Send, { credentials, logger, conceal }: Options) {
  const username = identityOf(credentials);
  const login = credentials.kind === "password" ? createLogin(credentials) : undefined;
  let ticket: Ticket | undefined = credentials.kind === "ticket" ? credentials : undefined;
  let obtainedAt = Date.now();
  let pending: Promise<Ticket> | undefined;

  /** However many requests need the ticket, one of them fetches it. */
  const obtain = (how: () => Promise<Ticket>): Promise<Ticket> => {
    pending ??= how()
      .then((obtained) => {
        conceal(obtained.ticket);
        conceal(obtained.csrfToken);
        ticket = obtained;
        obtainedAt = Date.now();
        return obtained;
      })
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };

  const renew = async (old: Ticket): Promise<Ticket> => {
    logger.debug("renewing the ticket", { user: username });
    try {
      return await renewTicket(send, username, old.ticket);
    } catch (reason) {
      if (login === undefined || !isPveError(reason, "auth")) {
        throw reason;
      }
      return login(send);
    }
  };

  return {
    async current(): Promise<Ticket> {
      if (pending !== undefined) {
        return pending;
      }
      const old = ticket;
      if (old !== undefined) {
        return Date.now() - obtainedAt < renewAfterMs ? old : obtain(() => renew(old));
      }
      logger.debug("logging in", { user: username });
      return obtain(async () => (login as NonNullable<typeof login>)(send));
    },

    /** A new ticket in place of a refused one, unless another request has fetched it in the meantime. */
    async replace(refused: Ticket, reason: unknown): Promise<Ticket> {
      if (login === undefined) {
        throw reason;
      }
      if (ticket !== refused && ticket !== undefined) {
        return ticket;
      }
      logger.info("the ticket was refused, logging in again", { user: username });
      return obtain(() => login(send));
    },
  };
}
