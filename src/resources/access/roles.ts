import { bool, defineCollection, set, shown, string } from "#kit";

/** `proxmox_roles`. Server side: pve-access-control `src/PVE/API2/Role.pm`, `index`. */
export const rolesData = defineCollection({
  type: "proxmox_roles",
  subcategory: "Access",
  doc: "Roles with their privileges, built-in ones included. Every caller sees all of them.",
  path: "/access/roles",
  items: "roles",
  key: "id",
  filters: {
    id: "Only roles of this name",
    privilege: { by: "privileges", doc: "Only roles with this privilege" },
    built_in: "Only roles that come with Proxmox VE, or only the others",
  },
  attributes: {
    id: shown(string(), "roleid", "Name."),
    privileges: { ...shown(set(string()), "privs", "Privileges of the role."), absent: [] },
    built_in: { ...shown(bool(), "special", "Whether the role comes with Proxmox VE."), absent: false },
  },
});
