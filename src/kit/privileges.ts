import type { PathLike, Report } from "#framework";
import { isMet, type Need, type Permissions } from "./permissions.ts";
import { tellMissing } from "./privileges-missing.ts";
import type { Session } from "./session.ts";

interface Check {
  readonly report: Pick<Report, "error">;
  readonly api: Session;
  readonly needs: readonly Need[];
}

/**
 * Refuses, before anything is begun, what the caller may not do: all that is missing in one message, with the commands
 * that grant it. Asks the cluster once per run, and not at all for `root@pam` and its tokens, who may do everything unless
 * somebody took the trouble to restrict a token of root's: PVE itself then tells what is missing.
 */
export async function checkPrivileges({ report, api, needs }: Check): Promise<void> {
  if (needs.length === 0 || api.identity.split("!")[0] === "root@pam") return;
  const permissions = await permissionsOf(api);
  const missing = needs.filter((need) => !isMet(permissions, need));
  if (missing.length === 0) return;
  const { summary, detail } = tellMissing({ caller: api.identity, permissions, missing });
  report.error(commonAttribute(missing), summary, detail);
}

/** The attribute, if all of it is for the same one. */
function commonAttribute([first, ...others]: readonly Need[]): PathLike {
  const isCommon = others.every(({ attribute }) => String(attribute) === String(first?.attribute));
  return (isCommon && first?.attribute) || null;
}

const known = new WeakMap<Session, Promise<Permissions>>();

/** The caller's rights, asked for once per run. */
export function permissionsOf(api: Session): Promise<Permissions> {
  const permissions = known.get(api) ?? api.access.getPermissions();
  known.set(api, permissions);
  return permissions;
}
