import type { Caller } from "../../core/access/caller.ts";
import { userId } from "../../core/access/formats.ts";
import { checkUserExists } from "../../core/access/users.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, raise } from "../../core/kernel/failure.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import type { SecondFactor, User } from "../../core/world/access.ts";
import { reauthenticate } from "../reauthenticate.ts";
import { isTotpCode } from "../totp.ts";

// pve-access-control `src/PVE/API2/TFA.pm`: authenticator apps and recovery keys; the other kinds are refused.

const read: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify", "Sys.Audit"]]] };
const write: Permissions = { check: ["or", ["userid-param", "self"], ["userid-group", ["User.Modify"]]] };
const id = string();
const password = string({ optional: true, minLength: 5, maxLength: 64 });
const description = string({ optional: true, maxLength: 255 });
const recoveryKeys = 10;

function entryOf({ id: factorId, type, description: text, created, enable }: SecondFactor): Record<string, unknown> {
  return {
    id: factorId,
    type,
    created,
    ...(text === "" ? {} : { description: text }),
    ...(enable ? {} : { enable: 0 }),
  };
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

/** An entry that can be changed; recovery keys cannot be changed (proxmox-tfa: `src/api/methods.rs`). */
function changeableFactor(user: User, factorId: string): SecondFactor {
  return user.tfa.find(({ id: known, type }) => known === factorId && type !== "recovery") ?? die("no such entry");
}

interface TotpRequest {
  readonly totp?: string | undefined;
  readonly value?: string | undefined;
}

function totpFactor(base: Omit<SecondFactor, "type">, { totp, value }: TotpRequest): SecondFactor {
  if (base.description === "") {
    die("'description' is required for new entries");
  }
  if (totp === undefined || value === undefined) {
    return die("'totp' type requires both 'totp' and 'value' parameters");
  }
  const query = /^otpauth:\/\/totp\/[^?]*\?(.*)$/.exec(totp)?.[1] ?? die("not an otpauth uri");
  const settings = new URLSearchParams(query);
  const secret = settings.get("secret") ?? die("missing secret in otpauth url");
  const period = Number(settings.get("period") ?? 30);
  if (!isTotpCode(secret, value, base.created, period)) {
    die("failed to verify TOTP challenge");
  }
  return { ...base, type: "totp", secret, period };
}

/** Kinds that need a configuration that a new cluster does not have. */
function refuseUnconfigured(type: string, userid: string): never {
  const realm = userid.slice(userid.lastIndexOf("@") + 1);
  return die(
    type === "yubico"
      ? `no yubico otp configuration available for realm ${realm}`
      : `no ${type} configuration available`,
  );
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
        created: sim.clock.stamp(),
        enable: true,
      };
      if (params.type === "totp") {
        user.tfa.push(totpFactor(base, params));
        markUser(user);
        return { id: base.id };
      }
      if (params.type !== "recovery") {
        return refuseUnconfigured(params.type, params.userid);
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
      const factor = changeableFactor(user, params.id);
      factor.description = params.description ?? factor.description;
      factor.enable = params.enable === undefined ? factor.enable : params.enable === 1;
      return "";
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
      const factor = user.tfa.find((known) => known.id === params.id) ?? die("no such entry");
      user.tfa = user.tfa.filter((known) => known !== factor);
      markUser(user);
      return user.tfa.length === 0 ? null : "";
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/users/{userid}/tfa",
    protected: true,
    permissions: read,
    parameters: { userid: userId, multiple: boolean({ optional: true, default: 0 }) },
    handler: ({ world, params }) => {
      const { tfa } = checkUserExists(world.access, params.userid);
      if (params.multiple && tfa.length > 0) {
        // PVE 9.2 fails here as well.
        die("Not an ARRAY reference at /usr/share/perl5/PVE/API2/User.pm line 640.");
      }
      return params.multiple ? { user: [] } : {};
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/users/{userid}/unlock-tfa",
    protected: true,
    permissions: { check: ["userid-group", ["User.Modify"]] },
    parameters: { userid: userId },
    // The file of second factors has no entry for a user without second factors. The simulator never locks a user out.
    handler: ({ world, params }) =>
      checkUserExists(world.access, params.userid).tfa.length === 0 ? die("no such user") : 0,
  }),
];
