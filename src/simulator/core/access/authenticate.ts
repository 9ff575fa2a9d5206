import { die } from "../kernel/failure.ts";
import type { Simulation } from "../kernel/simulation.ts";
import type { World } from "../world/world.ts";
import { Acl } from "./acl.ts";
import { Caller } from "./caller.ts";
import { splitTokenId, verifyUserName } from "./identity.ts";
import type { TicketStore } from "./tickets.ts";
import { checkTokenExists, checkUserEnabled } from "./users.ts";

export interface Credentials {
  readonly ticket: string | undefined;
  readonly csrfToken: string;
  readonly apiToken: string | undefined;
}

export interface Login {
  readonly caller: Caller;
  readonly byToken: boolean;
  /** A file upload: its permission is checked before the body is read, and no CSRF token is required. */
  readonly isUpload: boolean;
}

/** A cookie has priority over `Authorization: PVEAuthCookie=…`, which has priority over an API token. */
export function credentialsFrom(headers: ReadonlyMap<string, string>): Credentials {
  const authorization = headers.get("authorization");
  const ticket =
    authValue(headers.get("cookie"), "PVEAuthCookie") || authValue(authorization, "PVEAuthCookie") || undefined;
  const apiToken = ticket === undefined ? authValue(authorization, "PVEAPIToken") || undefined : undefined;
  return { ticket, apiToken, csrfToken: headers.get("csrfpreventiontoken") ?? "" };
}

function authValue(header: string | undefined, key: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${key}(?:=| )([^;]*)`).exec(header ?? "")?.[1];
  return value?.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

const openToAll: readonly [string, string][] = [
  ["GET", "/access/domains"],
  ["GET", "/access/ticket"],
  ["POST", "/access/ticket"],
  ["POST", "/access/vncticket"],
  ["POST", "/access/openid/login"],
  ["POST", "/access/openid/auth-url"],
];

/** pve-manager `PVE/HTTPServer.pm`, `auth_handler`: the caller, or the text of a 401. */
export function authenticate(
  { world, tickets, faults }: Simulation,
  request: { method: string; path: string },
  credentials: Credentials,
): Login {
  const { method, path } = request;
  const acl = new Acl(world.access, faults.revoked);
  const byToken = credentials.apiToken !== undefined;
  if (openToAll.some(([openMethod, openPath]) => method === openMethod && path === openPath)) {
    return { caller: new Caller("", acl), byToken, isUpload: false };
  }
  const id = byToken ? tokenOwner(world, credentials.apiToken ?? "") : ticketOwner(world, tickets, credentials.ticket);
  const caller = new Caller(id, acl);
  const [, storage] = /^\/nodes\/[^/]+\/storage\/([^/]+)\/upload$/.exec(path) ?? [];
  const isUpload = method === "POST" && storage !== undefined;
  if (isUpload) {
    caller.check(`/storage/${storage}`, ["Datastore.AllocateTemplate"]);
  }
  if (method !== "GET" && !byToken && !isUpload) {
    tickets.verifyCsrfToken(id, credentials.csrfToken);
  }
  return { caller, byToken, isUpload };
}

function tokenOwner(world: World, apiToken: string): string {
  const [, id, secret] = /^(.*)=(.*)$/.exec(apiToken) ?? [];
  const split = splitTokenId(id ?? "");
  return orRefuse(() => {
    if (id === undefined || split === undefined) {
      return die("no tokenid specified");
    }
    checkUserEnabled(world.access, split.user);
    const token = checkTokenExists(world.access, split.user, split.token);
    if (token.expire !== 0 && token.expire < Date.now() / 1000) {
      die(`token '${split.token}' access expired`);
    }
    return token.secret === secret ? id : die("invalid token value!");
  });
}

function ticketOwner(world: World, tickets: TicketStore, ticket: string | undefined): string {
  if (ticket === undefined) {
    return die("No ticket");
  }
  return orRefuse(() => {
    const user = tickets.verify(ticket)?.data ?? die("invalid ticket");
    verifyUserName(user);
    checkUserEnabled(world.access, user);
    return user;
  });
}

/** The text is the same for every error, so that it reveals nothing. */
function orRefuse(find: () => string): string {
  try {
    return find();
  } catch {
    return die("Authentication failed!");
  }
}
