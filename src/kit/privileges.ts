import type { PathLike, Report } from "#framework";
import { onlyGrantable, privilegesOfHost, rolesOf } from "./host-privileges.ts";
import { oncePerRun } from "./once-per-run.ts";
import { isGranted, isMet, type Need, type Permissions } from "./permissions.ts";
import { tellMissing } from "./privileges-missing.ts";
import type { Session } from "./session.ts";
import { SharedFailure } from "./shared-failure.ts";

interface Check {
  readonly report: Pick<Report, "error" | "refusedElsewhere">;
  readonly api: Session;
  readonly needs: readonly Need[];
  /** What the person sees of it, if that is not plain from what is missing. */
  readonly symptom?: string;
}

/** What the resources of a run lack. The first of them reports it. */
class Refusal extends SharedFailure {
  readonly missing: Need[] = [];
  isReported = false;

  /** Whether its report shows all of this, or will. */
  covers(missing: readonly Need[]): boolean {
    return !this.isReported || missing.every((need) => this.missing.some((other) => keyOf(other) === keyOf(need)));
  }
}

const keyOf = ({ privileges, paths }: Need): string => JSON.stringify([privileges, paths]);

const refusals = new WeakMap<Session, Refusal>();

/**
 * Refuses, before anything is begun, what the caller may not do: all that is missing in one message for the whole run, with
 * the commands that grant it. Returns whether all is granted, as far as that was looked at. Asks the cluster once per run.
 */
export async function checkPrivileges({ report, api, needs, symptom }: Check): Promise<boolean> {
  if (needs.length === 0) return true;
  const { permissions, missing: lacking } = await missingOf(api, needs);
  if (permissions === null || lacking.length === 0) return true;
  const roles = await rolesOf(api);
  const missing = onlyGrantable(lacking, privilegesOfHost(roles));
  if (missing.length === 0) return true;
  const shared = refusals.get(api);
  if (shared?.covers(missing)) {
    shared.missing.push(...missing);
    shared.others += 1;
    report.refusedElsewhere("Privileges missing", "Another error of this run lists what all resources require.");
    return false;
  }
  const refusal = new Refusal();
  refusal.missing.push(...missing);
  refusals.set(api, refusal);
  await refusal.untilQuiet(() => !api.plans.isAlone);
  refusal.isReported = true;
  const existing = roles.map(({ id }) => id);
  const { summary, detail } = tellMissing({ caller: api.identity, permissions, roles: existing, symptom, ...refusal });
  report.error(commonAttribute(refusal.missing), summary, detail);
  return false;
}

/** What the caller lacks. A guest that this run has created since the question was asked has the privileges of its pool by now. */
async function missingOf(api: Session, needs: readonly Need[]) {
  const judge = async () => {
    const permissions = await permissionsToCheck(api);
    const isMissing = (need: Need) => permissions !== null && !isMet(permissions, need);
    return { permissions, missing: needs.map((need) => withPlannedPool(api, need)).filter(isMissing) };
  };
  const found = await judge();
  const isNew = (path: string) => guestPath.test(path) && found.permissions?.[path] === undefined;
  if (!found.missing.some(({ paths }) => paths.some(isNew))) return found;
  permissionsOf.forget(api);
  return judge();
}

const guestPath = /^\/vms\/(\d+)$/;

/** A guest that does not exist yet will have the privileges of its pool. */
function withPlannedPool(api: Session, need: Need): Need {
  const pools = need.paths.flatMap((path) => api.planned.poolOf(guestPath.exec(path)?.[1] ?? "") ?? []);
  return pools.length === 0 ? need : { ...need, paths: [...need.paths, ...pools.map((pool) => `/pool/${pool}`)] };
}

/** The attribute, if all of it is for the same one. */
function commonAttribute([first, ...others]: readonly Need[]): PathLike {
  const isCommon = others.every(({ attribute }) => String(attribute) === String(first?.attribute));
  return (isCommon && first?.attribute) || null;
}

/**
 * The privileges a plan is checked against; null where checks are off, and for `root@pam`, who may do everything. A token of
 * root may be restricted, as is the default for a new one.
 */
export async function permissionsToCheck(api: Session): Promise<Permissions | null> {
  return api.identity === "root@pam" || api.settings.permissionCheck === "off" ? null : permissionsOf(api);
}

/** Only a caller who could see an object can say that it is missing; where privileges are not checked, nothing is judged. */
export async function canAudit(api: Session, path: string, ...anyOf: readonly string[]): Promise<boolean> {
  if (api.settings.permissionCheck === "off") return false;
  const permissions = await permissionsToCheck(api);
  return permissions === null || anyOf.some((privilege) => isGranted(permissions, path, privilege));
}

/** The caller's rights, asked for once per run. */
export const permissionsOf = oncePerRun<Permissions>((api) => api.access.getPermissions());
