import { bpg, defineCrud } from "#kit";
import { movedExpiry } from "./expiry.ts";
import { planUser, refuseOwnRemoval, userNeeds } from "./plan-user.ts";
import { userAttributes } from "./user-attributes.ts";
import { realmOf } from "./user-name.ts";

/** `proxmox_user`. Server side: pve-access-control `src/PVE/API2/User.pm`. */
export const user = defineCrud({
  type: "proxmox_user",
  subcategory: "Access",
  doc: "A user of the cluster. Privileges are granted with `proxmox_acl`, API tokens created with `proxmox_token`; both go when the user goes.",
  noun: "user",
  path: "/access/users/{userid}",
  file: "user.cfg",
  identity: ["id"],
  put: "blank",
  isListWhole: true,
  listing: { full: true },
  onlyAtCreation: ["password"],
  plannedAs: "user",
  otherwise: "Otherwise choose another name.",
  movedFrom: [
    bpg("user", {
      id: "user_id",
      enabled: "enabled",
      expire: movedExpiry,
      comment: "comment",
      email: "email",
      first_name: "first_name",
      last_name: "last_name",
      groups: "groups",
    }),
  ],
  attributes: userAttributes,
  needs: userNeeds,
  grants: { "/access/realm": ["Realm.AllocateUser"], "/access/groups": ["User.Modify"] },

  validate({ config, report }) {
    if (config.password && config.id && realmOf(config.id) === "pam") {
      const detail = `\`${config.id}\` is a user of each node's own system: set the password there, with \`passwd\`.`;
      report.error("password", "Not for the pam realm", detail);
    }
    if (config.password_version !== null && config.password === null) {
      const detail = "`password_version` says when `password` is sent again, and there is none.";
      report.warning("password_version", "Nothing to send", detail);
    }
  },
  plan: (context, api) => planUser(context, api),
  planDelete: async ({ id, report }, api) => refuseOwnRemoval(report, api, id.id),

  async changed({ api, id, desired, signal }) {
    if (!desired.password) return;
    const { credentials } = api.settings;
    const confirmation = credentials.kind === "password" ? { confirmation: credentials.password } : {};
    await api.access.users.setPassword(id.id, desired.password, { ...confirmation, signal });
  },
});
