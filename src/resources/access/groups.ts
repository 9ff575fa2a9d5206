import { defineCollection, set, shown, string } from "#kit";

/** `proxmox_groups`. Server side: pve-access-control `src/PVE/API2/Group.pm`, `index`. */
export const groupsData = defineCollection({
  type: "proxmox_groups",
  subcategory: "Access",
  doc: "Groups of users. Those on which the caller has none of `User.Modify`, `Sys.Audit` and `Group.Allocate` are not shown.",
  path: "/access/groups",
  items: "groups",
  key: "id",
  filters: { id: "Only groups of this name", member: { by: "members", doc: "Only groups that this user is in" } },
  attributes: {
    id: shown(string(), "groupid", "Name."),
    comment: shown(string(), "comment", "A comment."),
    members: { ...shown(set(string()), "users", "Users that are in it."), absent: [] },
  },
});
