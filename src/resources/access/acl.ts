import {
  awaitReference,
  bpg,
  checkPrivileges,
  createOnce,
  defineResource,
  Failure,
  isGranted,
  isPveError,
  type LegacyState,
  movesFrom,
  permissionsToCheck,
  type Session,
} from "#kit";
import type { AclKey } from "#pve";
import { aclAttributes } from "./acl-attributes.ts";
import { aclOf, entryExists, entryId, findEntry, keyOf, parseEntryId, type Written } from "./acl-entries.ts";
import { privilegesToModify } from "./acl-path.ts";
import { needOf, planAcl, warnOfRemoval } from "./acl-plan.ts";

/** How long a new entry waits for a role, a user, a group or a token that Terraform creates at the same time. */

/** `proxmox_acl`. Server side: pve-access-control `src/PVE/API2/ACL.pm`. */
export const acl = defineResource({
  type: "proxmox_acl",
  subcategory: "Access",
  doc: "One entry of the access control list: a role, granted on a path to a user, a group or a token. Other entries are left alone. An entry hides, for the same subject, what is granted further up.",
  attributes: aclAttributes,
  identity: ["id"],
  moves: movesFrom({ attributes: aclAttributes, identity: ["id"], noun: "ACL entry" }, [
    bpg("acl", {
      id: movedEntry,
      path: "path",
      role: "role_id",
      user: "user_id",
      group: "group_id",
      token: "token_id",
      propagate: "propagate",
    }),
  ]),
  label: ({ id, path }) => (id || path ? `ACL entry ${id ?? `on ${path}`}` : "ACL entry"),

  validate({ config, report }) {
    const kinds = ["user", "group", "token"] as const;
    const [first, second] = kinds.filter((kind) => config[kind]);
    if (second !== undefined) {
      report.error(second, "One subject only", `Give either \`${first}\` or \`${second}\`.`);
    } else if (kinds.every((kind) => config[kind] === null)) {
      report.error(null, "Subject needed", "Say whom the role is granted to: `user`, `group` or `token`.");
    }
    if (config.user === "root@pam") {
      report.error("user", "Nothing to grant", "`root@pam` has every right, and Proxmox VE stores no entry for it.");
    }
  },

  async plan(context) {
    const { api, planned, prior } = context;
    const key = keyOf(planned);
    if (key !== null && prior === null) context.set("id", entryId(key));
    if (api && key !== null) await planAcl(context, api, key);
  },

  async planDelete(context) {
    const { api, id, report } = context;
    const key = parseEntryId(id.id);
    if (!api || key === null) return;
    await checkPrivileges({ report, api, needs: [needOf(key)] });
    await warnOfRemoval(report, api, key);
  },

  async create({ api, desired, signal }) {
    const key = requireKey(desired);
    const propagate = desired.propagate === undefined ? {} : { propagate: desired.propagate };
    for (const [kind, name] of [["role", key.role] as const, [key.type, key.subject] as const]) {
      await awaitReference(api, { kind, name, signal });
    }
    await createOnce({
      api,
      signal,
      find: async () => findEntry(await api.access.acl.list({ signal }), key),
      make: () => aclOf.changing(api, () => api.access.acl.set(key, propagate, { signal })),
      exists: entryExists(key),
      path: null,
    });
    return { id: entryId(key) };
  },

  async read({ api, id }) {
    const key = parseEntryId(id.id);
    if (key === null) throw new Failure("Invalid import ID", idForm(id.id));
    const found = findEntry(await aclOf(api), key);
    if (found === null) return whenMissing(api, key);
    const { path, role, type, subject: whom, propagate } = found;
    return { id: id.id, path, role, user: null, group: null, token: null, [type]: whom, propagate };
  },

  async update({ api, desired, signal }) {
    const propagate = desired.propagate === undefined ? {} : { propagate: desired.propagate };
    const key = requireKey(desired);
    await aclOf.changing(api, () => api.access.acl.set(key, propagate, { signal }));
  },

  async delete({ api, id, signal }) {
    const key = parseEntryId(id.id);
    if (key !== null) await aclOf.changing(api, () => removeEntry(api, key, signal));
  },

  import({ id }) {
    const key = parseEntryId(id.trim());
    if (key === null) throw new Failure("Invalid import ID", idForm(id));
    return { id: entryId(key) };
  },
});

function movedEntry(old: LegacyState): string | undefined {
  const [path, role] = [old.text("path"), old.text("role_id")];
  const subjects = { user: old.text("user_id"), group: old.text("group_id"), token: old.text("token_id") };
  const key = keyOf({
    path,
    role,
    user: subjects.user ?? null,
    group: subjects.group ?? null,
    token: subjects.token ?? null,
  });
  return key === null ? undefined : entryId(key);
}

const idForm = (id: string): string =>
  `"${id}" is not of the form PATH:ROLE:user:NAME, PATH:ROLE:group:NAME or PATH:ROLE:token:USER!NAME, such as "/pool/prod:PVEVMUser:user:ann@pve".`;

function requireKey(written: Written): AclKey {
  const key = keyOf(written);
  if (key === null) throw new Failure("Subject needed", "Say whom the role is granted to: `user`, `group` or `token`.");
  return key;
}

/**
 * An entry goes with its user, token, group or role, and PVE then refuses to remove it. Who may change a path sees its entries,
 * so one that is not listed is gone.
 */
async function removeEntry(api: Session, key: AclKey, signal: AbortSignal): Promise<void> {
  try {
    await api.access.acl.remove(key, { signal });
  } catch (reason) {
    if (isPveError(reason, "permission")) throw reason;
    if (findEntry(await api.access.acl.list({ signal }), key) !== null) throw reason;
  }
}

/** PVE hides entries from who might not change them, which must not look as if they were gone. */
async function whenMissing(api: Session, { path }: AclKey): Promise<null> {
  const permissions = await permissionsToCheck(api);
  if (permissions === null || isGranted(permissions, "/access", "Sys.Audit")) return null;
  if (privilegesToModify(path).some((privilege) => isGranted(permissions, path, privilege))) return null;
  throw new Failure(
    "ACL entries are hidden",
    `${api.identity} may not see the entries on ${path}, so it is not known whether this one exists. Grant it \`Sys.Audit\` on /access.`,
  );
}
