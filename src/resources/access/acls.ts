import { bool, defineCollection, oneOf, shown, string } from "#kit";
import type { AclKey } from "#pve";
import { entryId } from "./acl-entries.ts";

/** `proxmox_acls`. Server side: pve-access-control `src/PVE/API2/ACL.pm`, `read_acl`. */
export const aclsData = defineCollection({
  type: "proxmox_acls",
  subcategory: "Access",
  doc: "Entries of the access control list. Without `Sys.Audit` on `/access`, only entries on paths where the caller has `Permissions.Modify` are shown.",
  path: "/access/acl",
  items: "acls",
  key: "id",
  filters: {
    path: "Only entries on this path, such as `/pool/*`",
    role: "Only entries that grant this role",
    subject: "Only entries for this user, group or token",
    type: "Only entries for `user`, `group` or `token`",
  },
  attributes: {
    id: shown(string(), "id", "The entry in one line, which `proxmox_acl` is imported by."),
    path: shown(string(), "path", "Where it is granted."),
    role: shown(string(), "roleid", "Role that is granted."),
    type: shown(oneOf(["group", "token", "user"]), "type", "Whom it is granted to: a `user`, a `group` or a `token`."),
    subject: shown(string(), "ugid", "Name of that user, group or token."),
    propagate: { ...shown(bool(), "propagate", "Whether it holds below the path, too."), absent: true },
  },
  rows: ({ answer }) =>
    answer.map((entry) => {
      const { path, roleid: role, type, ugid: subject } = entry;
      return { ...entry, id: entryId({ path, role, type, subject } as AclKey) };
    }),
});
