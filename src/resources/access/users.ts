import { bool, defineCollection, set, shown, string } from "#kit";
import { parseExpiry } from "./expiry.ts";

/** `proxmox_users`. Server side: pve-access-control `src/PVE/API2/User.pm`, `index`. */
export const usersData = defineCollection({
  type: "proxmox_users",
  subcategory: "Access",
  doc: "Users of the cluster. Without `User.Modify` or `Sys.Audit` on `/access/groups`, only members of the groups on which the caller has one of them are shown, and a user that has logged in itself.",
  path: "/access/users",
  fixed: { full: true },
  items: "users",
  key: "id",
  filters: {
    id: "Only users of this name, with the realm, such as `*@pve`",
    enabled: "Only users that are enabled, or only those that are not",
    group: { by: "groups", doc: "Only users in this group" },
  },
  attributes: {
    id: shown(string(), "userid", "Name and realm."),
    enabled: { ...shown(bool(), "enable", "Whether the user may log in and use tokens."), absent: true },
    expire: {
      ...shown(string(), "expire", "When the account ends, in RFC 3339 form; null: never."),
      as: { parse: (raw: unknown) => parseExpiry(Number(raw)) },
    },
    comment: shown(string(), "comment", "A note."),
    email: shown(string(), "email", "E-mail address."),
    first_name: shown(string(), "firstname", "First name."),
    last_name: shown(string(), "lastname", "Last name."),
    groups: { ...shown(set(string()), "groups", "Groups the user is in."), absent: [] },
    realm_type: shown(string(), "realm-type", "Type of the user's realm; null if the realm does not exist."),
  },
});
