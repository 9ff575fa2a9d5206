import { isGranted, onlyGrantable } from "#kit";
import type { Permissions } from "#pve";
import {
  type Capability,
  type CapabilityName,
  capabilities,
  lifeCycle,
  optionOf,
  type Requirement,
  wholePath,
} from "../../roles/capabilities.ts";
import { type Check, type Finding, notice, ok } from "../check.ts";
import { lacking } from "../vm-role.ts";

/** What the caller may do, one line for each capability. */
export const privileges: Check = {
  id: "privileges",
  needs: ["login"],
  async look(context) {
    const [permissions, host] = await Promise.all([context.permissions(), context.privileges()]);
    return (Object.keys(capabilities) as CapabilityName[]).map((name) => judgeCapability(name, permissions, host));
  },
};

function judgeCapability(name: CapabilityName, permissions: Permissions, host: ReadonlySet<string> | null): Finding {
  const { summary, requirements }: Capability = capabilities[name];
  const unmet = onlyGrantable(requirements, host).flatMap((requirement) => {
    const where = placesOf(requirement, permissions);
    return where === "everywhere" ? [] : [{ ...requirement, where }];
  });
  const missing = unmet.filter(({ where }) => where.length === 0);
  if (missing.length > 0) {
    const cure = `This requires ${list(missing)}: \`${roleCommand(name)}\` prints the commands.`;
    // Less is visible, but nothing fails.
    if (name === "plan" && !missing.some(({ on }) => on === "vms"))
      return notice(`may ${summary}, but not see all of it`, cure);
    return (lifeCycle.includes(name) ? lacking(permissions) : notice)(`may not ${summary}`, cure);
  }
  const places = [...new Set(unmet.flatMap(({ where }) => where))];
  return ok(places.length === 0 ? `may ${summary}` : `may ${summary}, with privileges on ${places.join(", ")} only`);
}

const roleCommand = (name: CapabilityName): string =>
  lifeCycle.includes(name) ? "doctor role" : `doctor role --with ${optionOf(name)}`;

/** `VM.Audit, VM.Clone on /vms and SDN.Use on /sdn/zones` */
function list(requirements: readonly Requirement[]): string {
  const byPath = Map.groupBy(requirements, ({ on }) => wholePath[on]);
  return [...byPath]
    .map(
      ([path, same]) => `${[...new Set(same.map(({ privileges }) => privileges.join(" or ")))].join(", ")} on ${path}`,
    )
    .join(" and ");
}

/** On everything of its kind, or a list of places; privileges on a pool apply to its members. */
function placesOf({ privileges, on }: Requirement, permissions: Permissions): "everywhere" | readonly string[] {
  const isHeld = (path: string) => privileges.some((privilege) => isGranted(permissions, path, privilege));
  if (isHeld(wholePath[on])) return "everywhere";
  const roots = on === "vms" || on === "storage" ? [wholePath[on], wholePath.pool] : [wholePath[on]];
  const below = Object.keys(permissions).filter((path) => roots.some((root) => path.startsWith(`${root}/`)));
  return below.filter(isHeld).sort();
}
