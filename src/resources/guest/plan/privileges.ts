import { type ConfigDraft, checkPrivileges, type Need, type Permissions, permissionsToCheck, type Session } from "#kit";
import type { GuestPlan } from "../context.ts";
import type { Source } from "../lifecycle/source.ts";
import type { Zones } from "./needs/network-needs.ts";

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
  const needs = [...change.needs, ...kind.plan.needsOf(context, change, zonesFor(api, permissions))];
  await checkPrivileges({ report, api, needs });
}

/**
 * The zone of a vnet of this run, or else any: PVE does not show it to callers that may not see it. No entry is on `-`, which
 * stands for every zone that has what is granted on `/sdn/zones`.
 */
function zonesFor(api: Session, permissions: Permissions): Zones {
  const paths = Object.keys(permissions);
  const withEntries = new Set(paths.flatMap((path) => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? []));
  const any = [...new Set(["localnetwork", ...withEntries, "-"])];
  return (bridge) => {
    const planned = api.planned.zoneOf(bridge);
    return planned === undefined ? any : [planned];
  };
}
