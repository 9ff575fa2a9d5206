import { type ConfigDraft, checkPrivileges, type Need, permissionsToCheck, type Session } from "#kit";
import type { GuestPlan } from "../context.ts";
import type { Source } from "../lifecycle/source.ts";

/** A change of a guest's configuration, as far as privileges depend on it. */
export interface PrivilegedChange {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  /** The source of a clone, a new guest, or the guest itself. */
  readonly from: Source | "nothing" | "itself";
  /** What is required besides. */
  readonly needs: readonly Need[];
}

/** Reports before the apply which privileges the caller lacks for a change. */
export async function checkChangePrivileges(context: GuestPlan, api: Session, change: PrivilegedChange): Promise<void> {
  const { kind, report } = context;
  if (api.identity === "root@pam") return;
  if (!api.mayActAsRoot) kind.plan.refuseReserved(context, api, change);
  const permissions = await permissionsToCheck(api);
  if (permissions === null) return;
  const zones = zonesIn(Object.keys(permissions));
  const needs = [...change.needs, ...kind.plan.needsOf(context, change, zones)];
  await checkPrivileges({ report, api, needs });
}

/** Zones on which the caller has privileges of its own. */
const zonesIn = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? [])),
];
