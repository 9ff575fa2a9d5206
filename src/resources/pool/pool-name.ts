import { string } from "#kit";

const part = "[A-Za-z][A-Za-z0-9._-]*";
const shape = new RegExp(`^${part}(?:/${part}){0,2}$`);

/** `prod`, or `prod/web` for a pool inside another (pve-access-control: src/PVE/AccessControl.pm, `pve-poolid`). */
export const poolName = string({
  check: (id) =>
    shape.test(id)
      ? undefined
      : "Must be a name of letters, digits, `.`, `-` and `_` that begins with a letter. A pool inside another is named by both, `outer/inner`, three levels deep at most.",
});
