import { checkPrivileges, createOnce, type Desired, defineResource } from "#kit";
import type { UserValues } from "#pve";
import { expiryToWire, parseExpiry } from "./expiry.ts";
import { type UserAttributes, userAttributes } from "./user-attributes.ts";
import { callerOf, realmOf } from "./user-name.ts";
import { allocateNeed, modifyNeed, planUser, userExists } from "./user-plan.ts";

/** `proxmox_user`. Server side: pve-access-control `src/PVE/API2/User.pm`. */
export const user = defineResource({
  type: "proxmox_user",
  doc: "A user of the cluster. Rights are granted with `proxmox_acl`, API tokens made with `proxmox_token`; both go when the user goes.",
  attributes: userAttributes,
  identity: ["id"],
  label: ({ id }) => (id ? `user "${id}"` : "user"),

  validate({ config, report }) {
    if (config.password && config.id && realmOf(config.id) === "pam") {
      report.error(
        "password",
        "Not for the pam realm",
        `\`${config.id}\` is a user of each node's own system: set the password there, with \`passwd\`.`,
      );
    }
    if (config.password_version !== null && config.password === null) {
      report.warning(
        "password_version",
        "Nothing to send",
        "`password_version` says when `password` is sent again, and there is none.",
      );
    }
  },

  async plan(context) {
    const { api } = context;
    if (api) await planUser(context, api);
  },

  async planDelete(context) {
    const { api, id, state, report } = context;
    if (!api) return;
    if (callerOf(api) === id.id) {
      report.error(
        null,
        "The provider's own user",
        `The provider works as ${api.identity}: let somebody else remove \`${id.id}\`.`,
      );
    }
    const needs = [allocateNeed(id.id), modifyNeed(state.groups ?? [])];
    await checkPrivileges({ report, api, needs });
  },

  async create({ api, desired, signal }) {
    const { id, password } = desired;
    await createOnce({
      api,
      signal,
      find: () => api.access.users.find(id, { signal }),
      make: () => api.access.users.create(id, { ...toWire(desired), ...(password ? { password } : {}) }, { signal }),
      exists: userExists(id),
      path: "id",
    });
    return { id };
  },

  async read({ api, id, signal }) {
    const found = await api.access.users.find(id.id, { signal });
    if (found === null) return null;
    api.managed.add("proxmox_user", id.id);
    return {
      id: id.id,
      enabled: found.enable,
      expire: parseExpiry(found.expire),
      comment: found.comment || null,
      email: found.email || null,
      first_name: found.firstname || null,
      last_name: found.lastname || null,
      groups: found.groups,
    };
  },

  async update({ api, id, desired, changes, signal }) {
    const values = toWire(desired, changes);
    if (Object.keys(values).length > 0) await api.access.users.update(id.id, values, { signal });
    if (!desired.password) return;
    const { credentials } = api.settings;
    const confirmation = credentials.kind === "password" ? { confirmation: credentials.password } : {};
    await api.access.users.setPassword(id.id, desired.password, { ...confirmation, signal });
  },

  async delete({ api, id, signal }) {
    await api.access.users.remove(id.id, { signal });
  },
});

/** What is given, or what changed: then an empty text takes a value out. */
function toWire(desired: Desired<UserAttributes>, changes?: ReadonlySet<string>): UserValues {
  const { enabled, expire, comment, email, first_name, last_name, groups } = desired;
  const values = [
    ["enabled", "enable", enabled],
    ["expire", "expire", expiryToWire(expire)],
    ["comment", "comment", comment ?? ""],
    ["email", "email", email ?? ""],
    ["first_name", "firstname", first_name ?? ""],
    ["last_name", "lastname", last_name ?? ""],
    ["groups", "groups", groups],
  ] as const;
  const isSent = (name: keyof typeof desired) => (changes ? changes.has(name) : desired[name] !== null);
  return Object.fromEntries(
    values.flatMap(([name, option, value]) => (value !== undefined && isSent(name) ? [[option, value]] : [])),
  );
}
