import { isPveError, oncePerRun, type Report, type Session } from "#kit";
import type { AclEntry } from "#pve";

/** Who is granted what, as far as a question about the caller needs it. */
export interface Grants {
  readonly entries: readonly AclEntry[];
  privilegesOf(role: string): readonly string[];
}

interface Subject {
  readonly id: string;
  readonly groups: readonly string[];
}

const needed = "Permissions.Modify";

/**
 * Warns if the caller, its user or its token would lose the privilege to change permissions on a path or below it:
 * the same credentials could not undo that.
 */
export async function warnOfLockOut(
  report: Pick<Report, "warning">,
  api: Session,
  path: string,
  change: { readonly before: Grants; readonly after: Grants },
): Promise<void> {
  for (const subject of await subjectsOf(api)) {
    const lost = [path, `${path === "/" ? "" : path}/-`].filter(
      (at) => isGranted(change.before, subject, at) && !isGranted(change.after, subject, at),
    );
    if (lost.length === 0) continue;
    const where = lost.includes(path) ? `on ${path}` : `below ${path}`;
    report.warning(
      null,
      "This takes away the provider's own rights",
      `${subject.id}, who makes this change, will not have \`${needed}\` ${where} any more, and cannot undo it. Let another account keep that privilege there, such as root@pam, who always does.`,
    );
  }
}

/** A token has rights of its own, and never more than its user; `root@pam` has all, whatever the entries say. */
const subjectsOf = oncePerRun(async (api: Session): Promise<Subject[]> => {
  const [user = "", token] = api.identity.split("!");
  const groups = await groupsOf(api, user);
  return [
    ...(user === "root@pam" ? [] : [{ id: user, groups }]),
    ...(token === undefined ? [] : [{ id: api.identity, groups: [] }]),
  ];
});

async function groupsOf(api: Session, user: string): Promise<readonly string[]> {
  try {
    return (await api.access.users.find(user))?.groups ?? [];
  } catch (reason) {
    if (!isPveError(reason, "permission")) throw reason;
    return [];
  }
}

/** Walks down the path: a level that has any entry for the subject hides what is above it, and a user's its groups'. */
function isGranted({ entries, privilegesOf }: Grants, { id, groups }: Subject, path: string): boolean {
  let roles: readonly string[] = [];
  for (const level of levelsOf(path)) {
    const here = entries.filter((entry) => entry.path === level && (entry.propagate || level === path));
    const own = here.filter(({ type, subject }) => type !== "group" && subject === id);
    const shared = here.filter(({ type, subject }) => type === "group" && groups.includes(subject));
    const deciding = own.length > 0 ? own : shared;
    if (deciding.length > 0) roles = deciding.map(({ role }) => role);
  }
  return !roles.includes("NoAccess") && roles.some((role) => privilegesOf(role).includes(needed));
}

function levelsOf(path: string): string[] {
  const names = path.split("/").filter(Boolean);
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}
