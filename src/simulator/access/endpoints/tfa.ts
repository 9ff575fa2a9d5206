import { endpoint } from "../../kernel/endpoint.ts";
import { die, raise } from "../../kernel/failure.ts";
import type { Permissions } from "../../kernel/permission.ts";
import { boolean, string } from "../../schema/schema.ts";
import type { SecondFactor, User } from "../../world/access.ts";
import type { Caller } from "../caller.ts";
import { userId } from "../formats.ts";
import { reauthenticate } from "../reauthenticate.ts";
import { isTotpCode } from "../totp.ts";
import { checkUserExists } from "../users.ts";

// pve-access-control `src/PVE/API2/TFA.pm`: authenticator apps and recovery keys; the other kinds are refused.

const read: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify", "Sys.Audit"]]] };
const write: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify"]]] };
const id = string();
const password = string({ optional: true, minLength: 5, maxLength: 64 });
const description = string({ optional: true, maxLength: 255 });
const recoveryKeys = 10;

function entryOf({ id: factorId, type, description: text, created, enable }: SecondFactor): Record<string, unknown> {
  return { id: factorId, type, description: text, created, ...(enable ? {} : { enable: 0 }) };
}

function findFactor(user: User, factorId: string): SecondFactor {
  return user.tfa.find((factor) => factor.id === factorId) ?? raise(404, `No such tfa entry '${factorId}'`);
}

/** user.cfg marks users with second factors by a key of `x`. */
function markUser(user: User): void {
  if (user.tfa.length > 0) {
    user.keys = "x";
  } else {
    delete user.keys;
  }
}

function maySee(caller: Caller, userid: string, user: User): boolean {
  const privileges = ["User.Modify", "Sys.Audit"] as const;
  return (
    userid === caller.id ||
    caller.hasAny("/access/groups", privileges) ||
    user.groups.some((group) => caller.hasAny(`/access/groups/${group}`, privileges))
  );
}

function totpFactor(base: Omit<SecondFactor, "type">, uri: string | undefined, code: string | undefined): SecondFactor {
  const secret = /[?&]secret=([A-Za-z2-7]+)/.exec(uri ?? "")?.[1] ?? die("missing 'totp' URI");
  if (code === undefined) {
    die("missing 'value' for totp");
  }
  if (!isTotpCode(secret, code, base.created)) {
    die("failed to verify TOTP challenge");
  }
  return { ...base, type: "totp", secret };
}

export const tfaEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/tfa",
    protected: true,
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world, caller }) =>
      Object.entries(world.access.users)
        .filter(([userid, user]) => user.tfa.length > 0 && maySee(caller, userid, user))
        .map(([userid, user]) => ({ userid, entries: user.tfa.map(entryOf) })),
  }),
  endpoint({
    method: "GET",
    path: "/access/tfa/{userid}",
    protected: true,
    permissions: read,
    parameters: { userid: userId },
    handler: ({ world, params }) => (world.access.users[params.userid]?.tfa ?? []).map(entryOf),
  }),
  endpoint({
    method: "POST",
    path: "/access/tfa/{userid}",
    protected: true,
    allowToken: false,
    permissions: write,
    parameters: {
      userid: userId,
      type: string({ enum: ["totp", "u2f", "webauthn", "recovery", "yubico"] }),
      description,
      totp: string({ optional: true }),
      value: string({ optional: true }),
      challenge: string({ optional: true }),
      password,
    },
    handler: ({ world, caller, params, sim }) => {
      const user = reauthenticate(world.access, caller, params.userid, params.password, "password");
      const base = {
        id: sim.random.uuid(),
        description: params.description ?? "",
        created: Math.floor(sim.clock.now()),
        enable: true,
      };
      if (params.type === "totp") {
        user.tfa.push(totpFactor(base, params.totp, params.value));
        markUser(user);
        return { id: base.id };
      }
      if (params.type !== "recovery") {
        return die(`second factors of type '${params.type}' are not simulated`);
      }
      if (user.tfa.some((factor) => factor.type === "recovery")) {
        die("user already has recovery keys");
      }
      const codes = Array.from({ length: recoveryKeys }, () =>
        sim.random
          .bytes(8)
          .toString("hex")
          .replace(/(.{4})(?=.)/g, "$1-"),
      );
      user.tfa.push({ ...base, id: "recovery", type: "recovery", codes });
      markUser(user);
      return { id: "recovery", recovery: codes };
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/tfa/{userid}/{id}",
    protected: true,
    permissions: read,
    parameters: { userid: userId, id },
    handler: ({ world, params }) => entryOf(findFactor(checkUserExists(world.access, params.userid), params.id)),
  }),
  endpoint({
    method: "PUT",
    path: "/access/tfa/{userid}/{id}",
    protected: true,
    allowToken: false,
    permissions: write,
    parameters: { userid: userId, id, description, enable: boolean({ optional: true }), password },
    handler: ({ world, caller, params }) => {
      const user = reauthenticate(world.access, caller, params.userid, params.password, "password");
      const factor = findFactor(user, params.id);
      factor.description = params.description ?? factor.description;
      factor.enable = params.enable === undefined ? factor.enable : params.enable === 1;
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/access/tfa/{userid}/{id}",
    protected: true,
    allowToken: false,
    permissions: write,
    parameters: { userid: userId, id, password },
    handler: ({ world, caller, params }) => {
      const user = reauthenticate(world.access, caller, params.userid, params.password, "password");
      findFactor(user, params.id);
      user.tfa = user.tfa.filter((factor) => factor.id !== params.id);
      markUser(user);
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/users/{userid}/tfa",
    protected: true,
    permissions: read,
    parameters: { userid: userId, multiple: boolean({ optional: true, default: 0 }) },
    handler: ({ world, params }) => {
      const types = [...new Set(checkUserExists(world.access, params.userid).tfa.map((factor) => factor.type))];
      return params.multiple ? { user: types } : {};
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/users/{userid}/unlock-tfa",
    protected: true,
    permissions: { check: ["userid-group", ["User.Modify"]] },
    parameters: { userid: userId },
    // Nobody is ever locked out here.
    handler: () => 0,
  }),
];
