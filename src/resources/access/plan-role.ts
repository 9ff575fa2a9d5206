import { type Report, rolesOf, type Session } from "#kit";
import { aclOf } from "./acl-entries.ts";
import { warnOfLockOut } from "./own-rights.ts";
import { explainUnknown } from "./privilege-names.ts";

interface Plan {
  readonly config: { readonly privileges?: readonly (string | undefined)[] | undefined };
  readonly prior: { readonly id: string } | null;
  readonly changes: ReadonlySet<string>;
  readonly report: Report<"privileges">;
}

/** Refuses privileges that the host does not know, and warns of a change that takes the caller's own. */
export async function planRole({ config, prior, changes, report }: Plan, api: Session): Promise<void> {
  if (changes.size === 0) return;
  const { privileges = [] } = config;
  // Administrator is allowed everything there is, so it shows what there is.
  const known = (await rolesOf(api)).find((one) => one.id === "Administrator")?.privileges ?? [];
  const unknown = privileges.flatMap((name) => (name === undefined || known.includes(name) ? [] : [name]));
  if (known.length > 0 && unknown.length > 0) {
    const summary = unknown.length === 1 ? "No such privilege" : "No such privileges";
    report.error("privileges", summary, unknown.map((name) => explainUnknown(name, known)).join("\n\n"));
  }
  if (prior !== null && !privileges.includes(undefined)) await warnOfSmallerRole(report, api, prior.id, privileges);
}

/** The role may be what lets the caller do this. */
async function warnOfSmallerRole(
  report: Pick<Report, "warning">,
  api: Session,
  id: string,
  privileges: readonly (string | undefined)[],
): Promise<void> {
  const [entries, roles] = [await aclOf(api), await rolesOf(api)];
  const before = (name: string) => roles.find((one) => one.id === name)?.privileges ?? [];
  const after = (name: string) => (name === id ? privileges.map(String) : before(name));
  for (const path of new Set(entries.flatMap((entry) => (entry.role === id ? [entry.path] : [])))) {
    await warnOfLockOut(report, api, path, {
      before: { entries, privilegesOf: before },
      after: { entries, privilegesOf: after },
    });
  }
}
