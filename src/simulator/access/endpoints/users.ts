import { groupIdListFormat, userId } from "../../core/access/formats.ts";
import { rootUser, verifyUserName } from "../../core/access/identity.ts";
import { changeUserConfig } from "../../core/access/user-config.ts";
import { checkUserExists } from "../../core/access/users.ts";
import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import { splitList } from "../../core/schema/format.ts";
import { emailOptionalFormat } from "../../core/schema/formats.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import type { Access, User } from "../../core/world/access.ts";
import { checkRealmExists } from "../passwords.ts";
import { tokenInfo } from "./tokens.ts";

// pve-access-control `src/PVE/API2/User.pm`

const userProperties = {
  userid: userId,
  enable: boolean({ optional: true, default: 1 }),
  expire: integer({ optional: true, minimum: 0 }),
  firstname: string({ optional: true, maxLength: 1024 }),
  lastname: string({ optional: true, maxLength: 1024 }),
  email: string({ optional: true, format: emailOptionalFormat, maxLength: 254 }),
  comment: string({ optional: true, maxLength: 2048 }),
  keys: string({ optional: true, pattern: "[0-9a-zA-Z!=]{0,4096}" }),
  groups: string({ optional: true, format: groupIdListFormat }),
};

const texts = ["firstname", "lastname", "email", "comment", "keys"] as const;

/** A user as user.cfg returns it. An empty e-mail is shown only if another field follows it in the line. */
function userData(user: User): Record<string, unknown> {
  const { enable, expire, firstname, lastname, email, comment, keys } = user;
  const shownEmail = email ?? (comment === undefined && keys === undefined ? undefined : "");
  const data = { enable: enable ? 1 : 0, expire, firstname, lastname, email: shownEmail, comment, keys };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}

function setTexts(user: User, given: Partial<Record<(typeof texts)[number], string | undefined>>): void {
  for (const name of texts) {
    const value = given[name];
    if (value !== undefined) {
      // An empty text is not written.
      if (value === "" || value === "0") {
        delete user[name];
      } else {
        user[name] = value;
      }
    }
  }
}

function addGroups(access: Access, user: User, groups: string): void {
  for (const group of splitList(groups)) {
    if (access.groups[group] === undefined) {
      die(`no such group '${group}'`);
    }
    if (!user.groups.includes(group)) {
      user.groups.push(group);
    }
  }
}

function visibleUsers({ world, caller }: Pick<Call, "world" | "caller">): [string, User][] {
  const { users, groups } = world.access;
  const privileges = ["User.Modify", "Sys.Audit"] as const;
  const all = caller.hasAny("/access/groups", privileges);
  const allowed = Object.keys(groups).filter((group) => caller.hasAny(`/access/groups/${group}`, privileges));
  return Object.entries(users)
    .filter(([id, user]) => all || id === caller.id || user.groups.some((group) => allowed.includes(group)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function listEntry(access: Access, id: string, user: User, full: boolean): Record<string, unknown> {
  const tokens = Object.entries(user.tokens).sort(([one], [other]) => (one < other ? -1 : 1));
  const realmType = access.realms[id.slice(id.lastIndexOf("@") + 1)]?.type;
  return {
    ...userData(user),
    ...(full
      ? {
          groups: [...user.groups].sort().join(","),
          tokens: tokens.length === 0 ? null : tokens.map(([tokenid, token]) => ({ tokenid, ...tokenInfo(token) })),
        }
      : {}),
    ...(realmType === undefined ? {} : { "realm-type": realmType }),
    userid: id,
  };
}

export const userEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/users",
    protected: true,
    permissions: { user: "all" },
    parameters: { enabled: boolean({ optional: true }), full: boolean({ optional: true, default: 0 }) },
    handler: (call) => {
      const { enabled, full } = call.params;
      return visibleUsers(call)
        .filter(([, user]) => enabled === undefined || user.enable === (enabled === 1))
        .map(([id, user]) => listEntry(call.world.access, id, user, full === 1));
    },
  }),
  endpoint({
    method: "POST",
    path: "/access/users",
    protected: true,
    permissions: {
      check: [
        "and",
        ["userid-param", "Realm.AllocateUser"],
        ["userid-group", ["User.Modify"], { groups_param: "create" }],
      ],
    },
    parameters: { ...userProperties, password: string({ optional: true, minLength: 8, maxLength: 64 }) },
    handler: async (call) => {
      const { userid, enable, expire, groups, password, ...details } = call.params;
      await changeUserConfig(call, "create user failed", (access) => {
        const { realm } = verifyUserName(userid);
        if (access.users[userid] !== undefined) {
          die(`user '${userid}' already exists`);
        }
        const user: User = { enable: enable !== 0, expire: expire ?? 0, groups: [], tokens: {}, tfa: [] };
        if (password !== undefined) {
          checkRealmExists(access, realm);
          user.password = password;
        }
        addGroups(access, user, groups ?? "");
        setTexts(user, details);
        access.users[userid] = user;
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/users/{userid}",
    permissions: { check: ["userid-group", ["User.Modify", "Sys.Audit"]] },
    parameters: { userid: userId },
    handler: ({ world, params }) => {
      const user = checkUserExists(world.access, params.userid);
      const tokens = Object.entries(user.tokens);
      return {
        ...userData(user),
        groups: [...user.groups].sort(),
        tokens: tokens.length === 0 ? null : Object.fromEntries(tokens.map(([id, token]) => [id, tokenInfo(token)])),
      };
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/users/{userid}",
    protected: true,
    permissions: { check: ["userid-group", ["User.Modify"], { groups_param: "update" }] },
    parameters: { ...userProperties, append: boolean({ optional: true, requires: "groups" }) },
    handler: async (call) => {
      const { userid, enable, expire, groups, append, ...details } = call.params;
      await changeUserConfig(call, "update user failed", (access) => {
        const user = checkUserExists(access, userid);
        user.enable = enable === undefined ? user.enable : enable === 1;
        user.expire = expire ?? user.expire ?? 0;
        if (groups !== undefined) {
          const kept = append ? user.groups : [];
          const changed = { ...user, groups: [...kept] };
          addGroups(access, changed, groups);
          user.groups = changed.groups;
        }
        setTexts(user, details);
      });
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/access/users/{userid}",
    protected: true,
    permissions: {
      check: ["and", ["userid-param", "Realm.AllocateUser"], ["userid-group", ["User.Modify"]]],
    },
    parameters: { userid: userId },
    handler: async (call) => {
      const { userid } = call.params;
      await changeUserConfig(call, "delete user failed", (access) => {
        if (userid === rootUser) {
          // The superuser exists without an entry, but then has no tokens and details; its password is the system's.
          const password = access.users[userid]?.password;
          access.users[userid] = { enable: true, groups: [], tokens: {}, tfa: [], ...(password && { password }) };
        } else {
          delete access.users[userid];
        }
        access.acl = access.acl.filter((entry) => !(entry.type === "user" && entry.ugid === userid));
      });
    },
  }),
];
