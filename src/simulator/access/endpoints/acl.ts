import { isAclPath, normalizePath } from "../../core/access/acl-path.ts";
import type { Caller } from "../../core/access/caller.ts";
import { privilegesToModify } from "../../core/access/check-permissions.ts";
import { groupIdListFormat, roleIdListFormat, tokenIdListFormat, userIdListFormat } from "../../core/access/formats.ts";
import { splitTokenId } from "../../core/access/identity.ts";
import { builtInRoles } from "../../core/access/roles.ts";
import { changeUserConfig } from "../../core/access/user-config.ts";
import { checkTokenExists } from "../../core/access/users.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import { splitList } from "../../core/schema/format.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import type { Access, AclEntry } from "../../core/world/access.ts";

// pve-access-control `src/PVE/API2/ACL.pm`

type Subject = Pick<AclEntry, "type" | "ugid">;

interface AclChange {
  readonly path: string;
  readonly propagate: boolean;
  readonly remove: boolean;
  readonly roles: readonly string[];
  readonly subjects: readonly Subject[];
}

/** Without `Permissions.Modify` a caller can grant only its own privileges. */
function requireSuperset(access: Access, caller: Caller, role: string, change: AclChange): void {
  const own = caller.privileges(change.path);
  if (own.has("Permissions.Modify")) {
    return;
  }
  const verb = change.remove ? "remove" : "add";
  for (const privilege of builtInRoles[role] ?? access.roles[role] ?? []) {
    const propagated = own.get(privilege);
    if (propagated === undefined) {
      paramError({ role: `Cannot ${verb} role '${role}' - requires 'Permissions.Modify' or superset of privileges.` });
    }
    if (change.propagate && !propagated && !change.remove) {
      paramError({
        role: `Cannot ${verb} role '${role}' with propagation - requires 'Permissions.Modify' or propagated superset of privileges.`,
      });
    }
  }
  if (role === "NoAccess") {
    paramError({ role: `Cannot ${verb} role '${role}' - requires 'Permissions.Modify'` });
  }
}

function requireSubject(access: Access, { type, ugid }: Subject): void {
  if (type === "group" && access.groups[ugid] === undefined) {
    die(`group '${ugid}' does not exist`);
  }
  if (type === "user" && access.users[ugid] === undefined) {
    die(`user '${ugid}' does not exist`);
  }
  if (type === "token") {
    const { user, token } = splitTokenId(ugid) ?? { user: ugid, token: "" };
    checkTokenExists(access, user, token);
  }
}

function applyChange(access: Access, caller: Caller, change: AclChange): void {
  const { path, propagate } = change;
  let acl = access.acl;
  for (const roleid of change.roles) {
    if (builtInRoles[roleid] === undefined && access.roles[roleid] === undefined) {
      die(`role '${roleid}' does not exist`);
    }
    requireSuperset(access, caller, roleid, change);
    for (const subject of change.subjects) {
      requireSubject(access, subject);
      const { type, ugid } = subject;
      const isSame = (entry: AclEntry) =>
        entry.path === path && entry.type === type && entry.ugid === ugid && entry.roleid === roleid;
      acl = acl.filter((entry) => !isSame(entry));
      if (!change.remove) {
        acl.push({ path, type, ugid, roleid, propagate });
      }
    }
  }
  access.acl = acl;
}

export const aclEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/acl",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world, caller }) => {
      const audit = caller.has("/access", ["Sys.Audit"]);
      return world.access.acl
        .filter(({ path }) => audit || caller.hasAny(path, privilegesToModify(path)))
        .map((entry) => ({ ...entry, propagate: entry.propagate ? 1 : 0 }));
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/acl",
    protected: true,
    permissions: { check: ["perm-modify", "{path}"] },
    parameters: {
      propagate: boolean({ optional: true, default: 1 }),
      path: string(),
      users: string({ optional: true, format: userIdListFormat }),
      groups: string({ optional: true, format: groupIdListFormat }),
      tokens: string({ optional: true, format: tokenIdListFormat }),
      roles: string({ format: roleIdListFormat }),
      delete: boolean({ optional: true }),
    },
    handler: async (call) => {
      const { params } = call;
      if (!params.users && !params.groups && !params.tokens) {
        const text = "either 'users', 'groups' or 'tokens' is required.";
        paramError({ users: text, groups: text, tokens: text });
      }
      const path = normalizePath(params.path);
      if (path === undefined || (!params.delete && !isAclPath(path))) {
        return paramError({ path: `invalid ACL path '${params.path}'` });
      }
      const subjects = (["group", "user", "token"] as const).flatMap((type) =>
        splitList(params[`${type}s`] ?? "").map((ugid) => ({ type, ugid })),
      );
      const change: AclChange = {
        path,
        subjects,
        propagate: params.propagate !== 0,
        remove: params.delete === 1,
        roles: splitList(params.roles),
      };
      await changeUserConfig(call, "ACL update failed", (access) => applyChange(access, call.caller, change));
    },
  }),
];
