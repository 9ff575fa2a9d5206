import {
  alreadyExists,
  checkPrivileges,
  createOnce,
  defineResource,
  Failure,
  type Need,
  type PlanContext,
  type Report,
  type Session,
  set,
  string,
} from "#kit";
import { aclOf, describeEntry } from "./acl-entries.ts";
import { warnOfLockOut } from "./own-rights.ts";
import { explainUnknown } from "./privilege-names.ts";
import { ownRoleName, rolesOf } from "./role-name.ts";

const attributes = {
  id: {
    type: ownRoleName,
    mode: "required",
    wire: "roleid",
    doc: "Name of the role. Names that begin with `PVE`, `Administrator` and `NoAccess` are built in: they can be granted, not managed. Another name is another role.",
  },
  privileges: {
    type: set(string()),
    mode: "required",
    wire: "privs",
    doc: "What the role allows: these privileges and no others, such as `VM.Audit`. Those the host does not know are refused in the plan; `[]` allows nothing.",
  },
} as const;

/** `proxmox_role`. Server side: pve-access-control `src/PVE/API2/Role.pm`. */
export const role = defineResource({
  type: "proxmox_role",
  doc: "A role: privileges under one name, to be granted with `proxmox_acl`. Proxmox VE takes back what was granted with a role when the role is destroyed.",
  attributes,
  identity: ["id"],
  label: ({ id }) => (id ? `role "${id}"` : "role"),

  async plan(context) {
    const { api } = context;
    if (api) await planRole(context, api);
  },

  async planDelete(context) {
    const { api, report } = context;
    if (api) await checkPrivileges({ report, api, needs: [modify] });
  },

  async create({ api, desired: { id, privileges }, signal }) {
    await createOnce({
      api,
      signal,
      find: () => api.access.roles.find(id, { signal }),
      make: () => rolesOf.changing(api, () => api.access.roles.create(id, privileges, { signal })),
      exists: roleExists(id),
      path: "id",
    });
    return { id };
  },

  async read({ api, id, purpose }) {
    const found = (await rolesOf(api)).find((one) => one.id === id.id);
    if (found === undefined) return null;
    if (found.isBuiltIn && purpose === "import") {
      throw new Failure(
        "Built-in role",
        `\`${id.id}\` comes with Proxmox VE and cannot be changed. Grant it as it is.`,
      );
    }
    api.managed.add("proxmox_role", id.id);
    return { id: id.id, privileges: found.privileges };
  },

  async update({ api, id, desired, signal }) {
    await rolesOf.changing(api, () => api.access.roles.update(id.id, desired.privileges, { signal }));
  },

  async delete({ api, id, report, signal }) {
    const granted = (await api.access.acl.list({ signal })).filter(({ role }) => role === id.id);
    await rolesOf.changing(api, () => aclOf.changing(api, () => api.access.roles.remove(id.id, { signal })));
    if (granted.length === 0) return;
    report.warning(
      null,
      `Role "${id.id}" was in use`,
      `Proxmox VE takes back what was granted with it:\n${granted.map((entry) => `  ${describeEntry(entry)}`).join("\n")}`,
    );
  },
});

const roleExists = (id: string) =>
  alreadyExists({ type: "proxmox_role", id, label: `Role "${id}"`, otherwise: "Otherwise choose another `id`." });

const modify: Need = { privileges: ["Sys.Modify"], paths: ["/access"], attribute: null };

async function planRole(
  { config, prior, changes, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
): Promise<void> {
  const { id, privileges = [] } = config;
  if (prior !== null) api.managed.add("proxmox_role", prior.id);
  if (changes.size === 0) return;
  const roles = await rolesOf(api);
  if (prior === null && id !== undefined) {
    api.planned.add("role", id);
    if (roles.some((one) => one.id === id) && !api.managed.has("proxmox_role", id)) {
      const { summary, detail } = roleExists(id);
      report.error("id", summary, detail);
    }
  }
  // Administrator is allowed everything there is, so it tells what there is.
  const known = roles.find((one) => one.id === "Administrator")?.privileges ?? [];
  const unknown = privileges.flatMap((name) => (name === undefined || known.includes(name) ? [] : [name]));
  if (known.length > 0 && unknown.length > 0) {
    const summary = unknown.length === 1 ? "No such privilege" : "No such privileges";
    report.error("privileges", summary, unknown.map((name) => explainUnknown(name, known)).join("\n\n"));
  }
  await checkPrivileges({ report, api, needs: [modify] });
  if (prior !== null && !privileges.includes(undefined)) await warnOfSmallerRole(report, api, prior.id, privileges);
}

/** A role may be what lets the caller do this. */
async function warnOfSmallerRole(
  report: Pick<Report, "warning">,
  api: Session,
  id: string,
  privileges: readonly (string | undefined)[],
): Promise<void> {
  const [entries, roles] = [await aclOf(api), await rolesOf(api)];
  const before = (name: string) => roles.find((one) => one.id === name)?.privileges ?? [];
  const after = (name: string) => (name === id ? privileges.map(String) : before(name));
  for (const path of new Set(entries.flatMap((entry) => (entry.role === id ? [entry.path] : [])))) {
    await warnOfLockOut(report, api, path, {
      before: { entries, privilegesOf: before },
      after: { entries, privilegesOf: after },
    });
  }
}
