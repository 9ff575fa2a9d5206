import { privilegeListFormat, privilegesIn, roleIdFormat } from "../../core/access/formats.ts";
import { builtInRoles } from "../../core/access/roles.ts";
import { changeUserConfig } from "../../core/access/user-config.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { splitList } from "../../core/schema/format.ts";
import { boolean, string } from "../../core/schema/schema.ts";
import type { Access } from "../../core/world/access.ts";

// pve-access-control `src/PVE/API2/Role.pm`

const roleid = string({ format: roleIdFormat });
const privs = string({ optional: true, format: privilegeListFormat });
const modify: Permissions = { check: ["perm", "/access", ["Sys.Modify"]] };

function requireCustomRole(access: Access, role: string): void {
  if (access.roles[role] === undefined) {
    die(`role '${role}' does not exist`);
  }
}

function refuseBuiltIn(role: string, doing: string): void {
  if (builtInRoles[role] !== undefined) {
    die(`auto-generated role '${role}' cannot be ${doing}`);
  }
}

export const roleEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/roles",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world }) =>
      Object.entries({ ...world.access.roles, ...builtInRoles }).map(([id, privileges]) => ({
        roleid: id,
        privs: [...privileges].sort().join(","),
        special: builtInRoles[id] === undefined ? 0 : 1,
      })),
  }),
  endpoint({
    method: "POST",
    path: "/access/roles",
    protected: true,
    permissions: modify,
    parameters: { roleid, privs },
    handler: async (call) => {
      const { params } = call;
      if (/^PVE/i.test(params.roleid)) {
        paramError({ roleid: "cannot use role ID starting with the (case-insensitive) 'PVE' namespace" });
      }
      await changeUserConfig(call, "create role failed", (access) => {
        if (access.roles[params.roleid] !== undefined || builtInRoles[params.roleid] !== undefined) {
          die(`role '${params.roleid}' already exists`);
        }
        access.roles[params.roleid] = privilegesIn([...new Set(splitList(params.privs ?? ""))]);
      });
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/roles/{roleid}",
    protected: true,
    permissions: modify,
    parameters: { roleid, privs, append: boolean({ optional: true, requires: "privs" }) },
    handler: async (call) => {
      const { params } = call;
      refuseBuiltIn(params.roleid, "modified");
      await changeUserConfig(call, "update role failed", (access) => {
        requireCustomRole(access, params.roleid);
        const kept = params.append ? (access.roles[params.roleid] ?? []) : [];
        access.roles[params.roleid] = privilegesIn([...new Set([...kept, ...splitList(params.privs ?? "")])]);
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/roles/{roleid}",
    permissions: { user: "all" },
    parameters: { roleid },
    handler: ({ world, params }) => {
      const privileges = builtInRoles[params.roleid] ?? world.access.roles[params.roleid];
      return privileges === undefined
        ? die(`role '${params.roleid}' does not exist`)
        : Object.fromEntries(privileges.map((privilege) => [privilege, 1]));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/access/roles/{roleid}",
    protected: true,
    permissions: modify,
    parameters: { roleid },
    handler: async (call) => {
      const { params } = call;
      refuseBuiltIn(params.roleid, "deleted");
      await changeUserConfig(call, "delete role failed", (access) => {
        requireCustomRole(access, params.roleid);
        delete access.roles[params.roleid];
      });
    },
  }),
];
