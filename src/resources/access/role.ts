import { bpg, defineCrud, Failure, rolesOf, set, string } from "#kit";
import { aclOf, describeEntry } from "./acl-entries.ts";
import { planRole } from "./plan-role.ts";
import { ownRoleName } from "./role-name.ts";

/** `proxmox_role`. Server side: pve-access-control `src/PVE/API2/Role.pm`. */
export const role = defineCrud({
  type: "proxmox_role",
  subcategory: "Access",
  doc: "A role: privileges under one name, to be granted with `proxmox_acl`. Proxmox VE takes back what was granted with a role when the role is destroyed.",
  noun: "role",
  path: "/access/roles/{roleid}",
  file: "user.cfg",
  identity: ["id"],
  put: "whole",
  plannedAs: "role",
  movedFrom: [bpg("role", { id: "role_id", privileges: "privileges" })],
  attributes: {
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
      absent: [],
      doc: "What the role allows: these privileges and no others, such as `VM.Audit`. Those the host does not know are refused in the plan; `[]` allows nothing.",
    },
  },

  isOwn: ({ special }) => Number(special ?? 0) !== 1,
  plan: (context, api) => planRole(context, api),
  written: (api) => {
    rolesOf.forget(api);
    aclOf.forget(api);
  },
  /** Looked for in the list: only the list shows whether a role is built in. */
  async find(api, { roleid }, { purpose }) {
    const isNew = purpose === "proof" || purpose === "create" || purpose === "update";
    const roles = isNew ? await api.access.roles.list() : await rolesOf(api);
    const found = roles.find(({ id }) => id === roleid);
    if (found?.isBuiltIn && purpose === "import") {
      const detail = `\`${roleid}\` comes with Proxmox VE and cannot be changed. Grant it as it is.`;
      throw new Failure("Built-in role", detail);
    }
    return found ? { privs: found.privileges } : null;
  },
  async delete({ api, id, report, signal }, remove) {
    const granted = (await api.access.acl.list({ signal })).filter((entry) => entry.role === id.id);
    await remove();
    if (granted.length === 0) return;
    const entries = granted.map((entry) => `  ${describeEntry(entry)}`).join("\n");
    report.warning(null, `Role "${id.id}" was in use`, `Proxmox VE takes back what was granted with it:\n${entries}`);
  },
});
