import { string } from "#kit";

/** Built-in roles that do not begin with `PVE` (pve-access-control: src/PVE/AccessControl.pm, `create_roles`). */
const builtIn = ["Administrator", "NoAccess"];

/** The name of a role people make themselves. */
export const ownRoleName = string({
  check: (name) => {
    if (!/^[A-Za-z0-9._-]+$/.test(name)) return "Must be made of letters, digits, `.`, `-` and `_`.";
    if (/^PVE/i.test(name)) return "Must not begin with `PVE`, in whichever case: those are the built-in roles.";
    return builtIn.includes(name) ? `\`${name}\` is a built-in role and cannot be changed.` : undefined;
  },
});
