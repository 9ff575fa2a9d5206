import { isPveError, PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Call, Send } from "../transport/call.ts";
import { expandPath } from "../transport/encode.ts";
import { identityOf, type TokenCredentials } from "./credentials.ts";
import { createLogin, renewTicket, type Ticket } from "./login.ts";
import type { OwnCredentials } from "./own-credentials.ts";

/** Tickets are valid for two hours (pve-access-control: src/PVE/AccessControl.pm, `$ticket_lifetime`). */
const renewAfterMs = 90 * 60 * 1000;

interface Options {
  readonly own: OwnCredentials;
  readonly logger: Logger;
  /** Receives every secret that is obtained, so that a log can hide it. */
  readonly conceal: (secret: string) => void;
}

/** Adds the caller's credentials to every request, and names their owner when they are refused. */
export function authenticate(send: Send, options: Options): Send {
  const credentials = options.own.current;
  const sendAs = credentials.kind === "token" ? withToken(send, options.own) : withTickets(send, options);
  const login = { with: credentials.kind, as: identityOf(credentials) };
  return (call) =>
    sendAs(call).catch((reason: unknown) => {
      throw reason instanceof PveError && reason.kind === "auth" ? reason.with({ login }) : reason;
    });
}

/** Refused before any work was done, so the request may be sent again with other credentials, once. */
const isRefused = (call: Call, reason: unknown): boolean =>
  isPveError(reason, "auth") && reason.details.status === 401 && call.upload === undefined;

function withToken(send: Send, own: OwnCredentials): Send {
  const sendWith = (call: Call, { token }: TokenCredentials) =>
    send({ ...call, headers: { ...call.headers, authorization: `PVEAPIToken=${token}` } });
  return async (call) => {
    const used = own.current as TokenCredentials;
    try {
      return await sendWith(call, used);
    } catch (reason) {
      if (!isRefused(call, reason) || isOwnChange(call, own)) throw reason;
      const now = (await own.settled()) as TokenCredentials;
      if (now === used) throw reason;
      return sendWith(call, now);
    }
  };
}

/** The change itself cannot wait for its own end. */
function isOwnChange({ method, path }: Call, own: OwnCredentials): boolean {
  const [userid = "", tokenid = ""] = identityOf(own.current).split("!");
  return method === "PUT" && path === expandPath("/access/users/{userid}/token/{tokenid}", { userid, tokenid }).path;
}

function withTickets(send: Send, options: Options): Send {
  const session = createSession(send, options);
  return async (call) => {
    const used = await session.current();
    try {
      return await send(withTicket(call, used));
    } catch (reason) {
      if (!isRefused(call, reason)) throw reason;
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
function createSession(send: Send, { own, logger, conceal }: Options) {
  const credentials = own.current;
  const username = identityOf(credentials);
  const login = credentials.kind === "password" ? createLogin(credentials, own) : undefined;
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
