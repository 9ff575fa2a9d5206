import { bpg, defineCrud, matches, string, userConfigText } from "#kit";

/** `proxmox_group`. Server side: pve-access-control `src/PVE/API2/Group.pm`. */
export const group = defineCrud({
  type: "proxmox_group",
  subcategory: "Access",
  doc: "A group of users, to grant privileges to many at once with `proxmox_acl`. A user joins by `groups` of `proxmox_user`. Destroying a group removes its users from it and takes back what was granted to it; the users stay.",
  noun: "group",
  path: "/access/groups/{groupid}",
  file: "user.cfg",
  identity: ["id"],
  isListWhole: true,
  put: "blank",
  plannedAs: "group",
  movedFrom: [bpg("group", { id: "group_id", comment: "comment" })],
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z0-9._-]+$/, "letters, digits, `.`, `-` and `_`") }),
      mode: "required",
      wire: "groupid",
      doc: "Name of the group. Another name is another group.",
    },
    comment: { type: userConfigText(2048), mode: "optional", wire: "comment", doc: "A comment. Left out: none." },
  },
});
