import { Acl } from "../../core/access/acl.ts";
import { normalizePath } from "../../core/access/acl-path.ts";
import { Caller } from "../../core/access/caller.ts";
import { privilegeListFormat, privilegesIn, realm, userId } from "../../core/access/formats.ts";
import { verifyUserName } from "../../core/access/identity.ts";
import { checkUserEnabled } from "../../core/access/users.ts";
import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, permissionError, raise } from "../../core/kernel/failure.ts";
import { splitList } from "../../core/schema/format.ts";
import { boolean, integer, optional, string } from "../../core/schema/schema.ts";
import { capabilities } from "../capabilities.ts";
import { checkPassword, checkRealmExists } from "../passwords.ts";
import { reauthenticate } from "../reauthenticate.ts";
import { challengeOf, verifySecondFactor } from "../second-factor.ts";

// pve-access-control `src/PVE/API2/AccessControl.pm`

const challengeMark = "!tfa!";

interface Attempt {
  readonly username: string;
  readonly password: string;
  readonly otp?: string | undefined;
  readonly "tfa-challenge"?: string | undefined;
}

/** Checks the first and the second factor; returns the challenge that is still open, if any. */
function authenticateUser(call: Pick<Call, "world" | "sim">, attempt: Attempt): string | undefined {
  const { access } = call.world;
  const { username, password, otp, "tfa-challenge": answered } = attempt;
  const user = checkUserEnabled(access, username);
  checkRealmExists(access, verifyUserName(username).realm);
  const now = call.sim.clock.now();
  if (answered) {
    const ticket = call.sim.tickets.verify(answered, username)?.data ?? die("invalid ticket");
    if (!ticket.startsWith(challengeMark)) {
      die("bad ticket");
    }
    verifySecondFactor(user, password, now);
    return undefined;
  }
  checkPassword(access, username, password);
  const challenge = challengeOf(user);
  if (otp === undefined) {
    return challenge;
  }
  if (challenge === undefined) {
    die("no such challenge");
  }
  verifySecondFactor(user, otp, now);
  return undefined;
}

function createTicket(call: Pick<Call, "world" | "sim">, attempt: Attempt): Record<string, unknown> {
  const { tickets } = call.sim;
  const { username, password, otp, "tfa-challenge": answered } = attempt;
  if (otp !== undefined && answered !== undefined) {
    die("TFA response should be in 'password', not 'otp' when 'tfa-challenge' is set");
  }
  const holder = answered === undefined ? tickets.verify(password)?.data : undefined;
  // A valid ticket can replace the password; a ticket of root@pam can replace the password of every user.
  const isRenewal = holder !== undefined && (holder === "root@pam" || holder === username);
  const challenge = isRenewal ? undefined : authenticateUser(call, attempt);
  return {
    username,
    ticket: challenge === undefined ? tickets.issue(username) : tickets.issue(`${challengeMark}${challenge}`, username),
    CSRFPreventionToken: tickets.issueCsrfToken(username),
    ...(challenge === undefined ? {} : { NeedTFA: 1 }),
  };
}

/** With `path` and `privs` the call only checks the credentials and privileges. */
function verifyOnly(
  call: Pick<Call, "world" | "sim">,
  attempt: Attempt,
  path: string,
  privs: string,
): Record<string, unknown> {
  const normal = normalizePath(path) ?? die(`invalid path - ${path}`);
  if (call.sim.tickets.verify(attempt.password)?.data !== attempt.username) {
    authenticateUser(call, attempt);
  }
  new Caller(attempt.username, new Acl(call.world.access, call.sim.faults.revoked)).check(
    normal,
    privilegesIn(splitList(privs)),
  );
  return { username: attempt.username };
}

export const ticketEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/ticket",
    permissions: { user: "world" },
    parameters: {},
    handler: () => null,
  }),
  endpoint({
    method: "POST",
    path: "/access/ticket",
    protected: true,
    allowToken: false,
    permissions: { user: "world" },
    parameters: {
      username: string({ maxLength: 64 }),
      realm: optional(realm),
      password: string(),
      otp: string({ optional: true }),
      path: string({ optional: true, requires: "privs", maxLength: 64 }),
      privs: string({ optional: true, format: privilegeListFormat, requires: "path", maxLength: 64 }),
      "new-format": boolean({ optional: true, default: 1 }),
      "tfa-challenge": string({ optional: true }),
    },
    handler: (call) => {
      const { params, world } = call;
      const username = params.realm ? `${params.username}@${params.realm}` : params.username;
      let result: Record<string, unknown>;
      try {
        checkUserEnabled(world.access, username);
        const attempt = { ...params, username };
        result =
          params.path && params.privs
            ? verifyOnly(call, attempt, params.path, params.privs)
            : createTicket(call, attempt);
      } catch {
        // The answer must not reveal which users exist.
        return raise(401, "authentication failure");
      }
      const acl = new Acl(world.access, call.sim.faults.revoked);
      if (result["NeedTFA"] === undefined) {
        result["cap"] = capabilities(world.access, acl, username);
      }
      if (world.cluster.name !== undefined && acl.privileges(username, "/").has("Sys.Audit")) {
        result["clustername"] = world.cluster.name;
      }
      return result;
    },
  }),
  endpoint({
    method: "POST",
    path: "/access/vncticket",
    protected: true,
    permissions: { user: "world" },
    parameters: {
      authid: string({ maxLength: 64 }),
      vncticket: string(),
      path: string({ maxLength: 64 }),
      privs: string({ format: privilegeListFormat, maxLength: 64 }),
      port: integer({ optional: true }),
    },
    // Consoles are not simulated, so no ticket can be valid.
    handler: () => raise(401, "authentication failure"),
  }),
  endpoint({
    method: "PUT",
    path: "/access/password",
    protected: true,
    allowToken: false,
    permissions: {
      check: [
        "or",
        ["userid-param", "self"],
        ["and", ["userid-param", "Realm.AllocateUser"], ["userid-group", ["User.Modify"]]],
      ],
    },
    parameters: {
      userid: userId,
      password: string({ minLength: 8, maxLength: 64 }),
      "confirmation-password": string({ optional: true, minLength: 5, maxLength: 64 }),
    },
    handler: ({ world, caller, params }) => {
      const { userid, password } = params;
      const user = reauthenticate(
        world.access,
        caller,
        userid,
        params["confirmation-password"],
        "confirmation-password",
      );
      const { realm: userRealm } = verifyUserName(userid);
      if (caller.id === userid) {
        checkUserEnabled(world.access, userid);
      } else if (!caller.isRoot && userRealm === "pam") {
        permissionError();
      }
      checkRealmExists(world.access, userRealm);
      user.password = password;
    },
  }),
];
