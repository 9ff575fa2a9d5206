import type { Report } from "#framework";
import { isMet, type Need, type Permissions } from "../permissions.ts";
import { checkPrivileges, permissionsToCheck } from "../privileges.ts";
import type { Session } from "../session.ts";
import type { Check } from "./check.ts";
import { needsOf } from "./derived-needs.ts";

interface Demand {
  readonly api: Session;
  readonly report: Pick<Report, "error" | "refusedElsewhere">;
  /** `POST /storage` … every call that the change takes. */
  readonly endpoints: readonly string[];
  readonly places: Readonly<Record<string, string>>;
  /** What the definition states. */
  readonly needs: readonly Need[];
  /** `the storage "nas"` */
  readonly label: string;
}

/** Refuses in the plan what the caller may not do, by what PVE says of the endpoints and by what the definition adds. */
export async function checkEndpoints(demand: Demand): Promise<boolean> {
  const { api, report, endpoints, places, needs, label } = demand;
  if (api.settings.permissionCheck === "off" || api.identity === "root@pam") return true;
  const { permissions: described } = await import("./gen/permissions.ts");
  const all = endpoints.map((endpoint) => described[endpoint]).filter((check) => check !== undefined);
  const checks = all.filter(([kind]) => kind !== "root");
  if (checks.length < all.length && !api.mayActAsRoot) {
    report.error(null, "Reserved for root@pam", rootOnly(label, api.identity));
    return false;
  }
  const granted = await permissionsToCheck(api);
  if (granted === null) return true;
  return checkPrivileges({
    report,
    api,
    needs: distinctNeeds([...checks.flatMap((check) => easiest(check, places, granted)), ...needs]),
  });
}

/** Of several ways that PVE accepts, the one that lacks the least. */
function easiest(check: Check, places: Demand["places"], granted: Permissions): readonly Need[] {
  const lacking = (needs: readonly Need[]) => needs.filter((need) => !isMet(granted, need)).length;
  return needsOf(check, places).reduce((best, needs) => (lacking(needs) < lacking(best) ? needs : best));
}

/** Each need once, and none that another one on the same path or above it brings along: who may write may often read. */
export function distinctNeeds(needs: readonly Need[]): Need[] {
  const distinct = [...new Map(needs.map((need) => [JSON.stringify([need.privileges, need.paths]), need])).values()];
  const isImplied = (need: Need) =>
    distinct.some(({ privileges: [only, ...more], paths }) => {
      const [path = "", below = ""] = [paths[0], need.paths[0]];
      const isCovered = `${below}/`.startsWith(path === "/" ? path : `${path}/`);
      const isOther = need.privileges.length > 1 || below !== path;
      return isCovered && isOther && more.length === 0 && need.privileges.includes(only ?? "");
    });
  return distinct.filter((need) => !isImplied(need));
}

const rootOnly = (label: string, caller: string): string =>
  `Proxmox VE lets only root@pam change ${label}, logged in with a password; a token of root is not enough. The provider uses ${caller}. Give it \`username = "root@pam"\` and \`password\` beside the token: calls like this one then use them, and no others.`;
