import type { PathLike } from "#framework";
import { hasEffectOn, passedOn } from "./passed-on.ts";
import { type Need, type Permissions, privilegesOn } from "./permissions.ts";
import { grantCommands, roleFor } from "./pveum.ts";

interface Missing {
  /** `user@realm` or `user@realm!token` */
  readonly caller: string;
  readonly permissions: Permissions;
  readonly missing: readonly Need[];
  /** How many more resources of the run need some of it. */
  readonly others?: number;
  /** Roles there are. */
  readonly roles: readonly string[];
  readonly symptom?: string | undefined;
}

/** What one entry of the ACL is to grant. */
interface Wanted {
  readonly paths: readonly [string];
  readonly privileges: readonly string[];
}

/** Says what is missing where and for what, and what an administrator types to grant it. */
export function tellMissing(given: Missing): { summary: string; detail: string } {
  const { caller, permissions, missing, others = 0, symptom } = given;
  const byPath = Map.groupBy(missing, (need) => grantPath(need, permissions));
  const paths = [...byPath.keys()].sort();
  const lines = paths.map((path) => `  ${path}: ${describe(byPath.get(path) ?? [])}`);
  const wanted = paths.map((path): Wanted => ({ paths: [path], privileges: firstOf(byPath.get(path) ?? []) }));
  const commands = wanted.flatMap((grant) => cure(given, grant, wanted));
  return {
    summary: "Privileges missing",
    detail: [
      symptom ?? "",
      `${caller} needs:\n${lines.join("\n")}`,
      others === 0 ? "" : `This includes what ${others} more ${others === 1 ? "resource needs" : "resources need"}.`,
      `An administrator grants it on any node:\n${commands.map((command) => `  ${command}`).join("\n")}`,
      remark(caller),
    ]
      .filter(Boolean)
      .join("\n\n"),
  };
}

/** An entry of the caller's own hides whatever would be granted above it. */
function grantPath({ paths, grantOn }: Need, permissions: Permissions): string {
  if (grantOn === undefined) return paths.at(-1) ?? "/";
  const [only = "", ...others] = paths;
  const candidates = others.length > 0 ? paths : pathsBetween(grantOn, only);
  return candidates.find((path) => Object.hasOwn(permissions, path)) ?? grantOn;
}

/** A path and all above it that lie below another one, from the bottom. */
function pathsBetween(above: string, path: string): string[] {
  const found = [path];
  const parentOf = (one: string) => one.slice(0, one.lastIndexOf("/"));
  for (let at = parentOf(path); at.startsWith(`${above}/`); at = parentOf(at)) found.push(at);
  return found;
}

/** `VM.Config.CPU (for cpu), VM.Allocate` */
function describe(needs: readonly Need[]): string {
  const byName = Map.groupBy(needs, ({ privileges }) => privileges.join(" or "));
  return [...byName]
    .map(([name, same]) => {
      const reasons = [...new Set(same.flatMap(({ attribute }) => nameOf(attribute) ?? []))];
      return reasons.length === 0 ? name : `${name} (for ${reasons.join(", ")})`;
    })
    .sort()
    .join(", ");
}

const nameOf = (path: PathLike): string | null =>
  path === null ? null : `\`${typeof path === "string" ? path : path.join(".")}\``;

const firstOf = (needs: readonly Need[]): string[] => needs.flatMap(({ privileges }) => privileges[0] ?? []);

/**
 * An entry hides what is inherited from above, so the role repeats what the caller has there already, and what the same message
 * grants further up: of the privileges that have an effect there.
 */
function cure({ caller, permissions, roles }: Missing, wanted: Wanted, all: readonly Wanted[]): string[] {
  const [path] = wanted.paths;
  const inherited = path === "/" ? [] : privilegesOn(permissions, path);
  const kept = inherited.filter((privilege) => hasEffectOn(path, privilege));
  const privileges = [...new Set([...kept, ...passedOn(all, path), ...wanted.privileges])].sort();
  const [user, token] = caller.split("!");
  const role = roleFor(path);
  return grantCommands(
    { role, privileges, paths: [path] },
    // `root@pam` itself has every right, and cannot be given any.
    { user: user === "root@pam" ? undefined : user, token: token === undefined ? undefined : caller },
    roles.includes(role),
  );
}

function remark(caller: string): string {
  const [user, token] = caller.split("!");
  if (token === undefined || user === "root@pam") return "";
  return `A token without privilege separation has the rights of ${user}; one with it has what both it and ${user} have, so both are granted here. Leave out \`--users\` if ${user} has more on that path already.`;
}
