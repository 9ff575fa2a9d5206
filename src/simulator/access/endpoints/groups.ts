import { groupIdFormat } from "../../core/access/formats.ts";
import { changeUserConfig } from "../../core/access/user-config.ts";
import { endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import type { Permissions } from "../../core/kernel/permission.ts";
import { string } from "../../core/schema/schema.ts";
import type { Access } from "../../core/world/access.ts";

// pve-access-control `src/PVE/API2/Group.pm`

const groupid = string({ format: groupIdFormat });
const comment = string({ optional: true });
const allocate: Permissions = { check: ["perm", "/access/groups", ["Group.Allocate"]] };

function membersOf(access: Access, group: string): string[] {
  return Object.keys(access.users).filter((id) => access.users[id]?.groups.includes(group));
}

function existingGroup(access: Access, group: string): { comment?: string } {
  return access.groups[group] ?? die(`group '${group}' does not exist`);
}

export const groupEndpoints = [
  endpoint({
    method: "GET",
    path: "/access/groups",
    permissions: { user: "all" },
    parameters: {},
    handler: ({ world: { access }, caller }) =>
      Object.entries(access.groups)
        .filter(([id]) => caller.hasAny(`/access/groups/${id}`, ["User.Modify", "Sys.Audit", "Group.Allocate"]))
        .map(([id, group]) => ({ groupid: id, ...group, users: membersOf(access, id).sort().join(",") })),
  }),
  endpoint({
    method: "POST",
    path: "/access/groups",
    protected: true,
    permissions: allocate,
    parameters: { groupid, comment },
    handler: async (call) => {
      const { params } = call;
      await changeUserConfig(call, "create group failed", (access) => {
        if (access.groups[params.groupid] !== undefined) {
          die(`group '${params.groupid}' already exists`);
        }
        access.groups[params.groupid] = params.comment ? { comment: params.comment } : {};
      });
    },
  }),
  endpoint({
    method: "PUT",
    path: "/access/groups/{groupid}",
    protected: true,
    permissions: allocate,
    parameters: { groupid, comment },
    handler: async (call) => {
      const { params } = call;
      await changeUserConfig(call, "update group failed", (access) => {
        const group = existingGroup(access, params.groupid);
        if (params.comment) {
          group.comment = params.comment;
        } else if (params.comment !== undefined) {
          delete group.comment;
        }
      });
    },
  }),
  endpoint({
    method: "GET",
    path: "/access/groups/{groupid}",
    permissions: { check: ["perm", "/access/groups", ["Sys.Audit", "Group.Allocate"], { any: true }] },
    parameters: { groupid },
    handler: ({ world: { access }, params }) => ({
      ...existingGroup(access, params.groupid),
      members: membersOf(access, params.groupid),
    }),
  }),
  endpoint({
    method: "DELETE",
    path: "/access/groups/{groupid}",
    protected: true,
    permissions: allocate,
    parameters: { groupid },
    handler: async (call) => {
      const { params } = call;
      await changeUserConfig(call, "delete group failed", (access) => {
        existingGroup(access, params.groupid);
        delete access.groups[params.groupid];
        for (const user of Object.values(access.users)) {
          user.groups = user.groups.filter((group) => group !== params.groupid);
        }
        access.acl = access.acl.filter((entry) => !(entry.type === "group" && entry.ugid === params.groupid));
      });
    },
  }),
];
