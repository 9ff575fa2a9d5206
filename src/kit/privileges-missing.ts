import type { PathLike } from "#framework";
import { type Need, type Permissions, privilegesOn } from "./permissions.ts";
import { grantCommands, roleFor } from "./pveum.ts";

interface Missing {
  /** `user@realm` or `user@realm!token` */
  readonly caller: string;
  readonly permissions: Permissions;
  readonly missing: readonly Need[];
}

/** Says what is missing where and for what, and what an administrator types to grant it. */
export function tellMissing({ caller, permissions, missing }: Missing): { summary: string; detail: string } {
  const byPath = Map.groupBy(missing, grantPath);
  const paths = [...byPath.keys()].sort();
  const isNobody = Object.keys(permissions).length === 0;
  const lines = paths.map((path) => `  ${path}: ${describe(byPath.get(path) ?? [])}`);
  const commands = paths.flatMap((path) => cure(caller, path, byPath.get(path) ?? [], permissions));
  return {
    summary: isNobody ? "No rights at all" : "Privileges missing",
    detail: [
      isNobody ? `${caller} has no rights at all: Proxmox VE shows it no VM, no template and no storage.` : "",
      `${caller} needs:\n${lines.join("\n")}`,
      `An administrator grants it on any node:\n${commands.map((command) => `  ${command}`).join("\n")}`,
      remark(caller),
    ]
      .filter(Boolean)
      .join("\n\n"),
  };
}

const grantPath = ({ paths, grantOn }: Need): string => grantOn ?? paths.at(-1) ?? "/";

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

/**
 * An entry hides what is inherited from above, so the role repeats what the caller has there already: of the privileges
 * that mean anything there (pve-access-control: src/PVE/AccessControl.pm, `roles`).
 */
function cure(caller: string, path: string, needs: readonly Need[], permissions: Permissions): string[] {
  const inherited = path === "/" ? [] : privilegesOn(permissions, path);
  const kept = inherited.filter((privilege) => isMeantFor(path, privilege));
  const wanted = needs.flatMap(({ privileges }) => privileges[0] ?? []);
  const privileges = [...new Set([...kept, ...wanted])].sort();
  const [user, token] = caller.split("!");
  return grantCommands(
    { role: roleFor(path), privileges, paths: [path] },
    // `root@pam` itself has every right, and cannot be given any.
    { user: user === "root@pam" ? undefined : user, token: token === undefined ? undefined : caller },
  );
}

const meanings: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/storage\//, /^Datastore\./],
  [/^\/vms(\/|$)/, /^VM\./],
  [/^\/pool\//, /^(VM|Datastore|Pool)\./],
  [/^\/sdn\//, /^SDN\./],
  [/^\/mapping\//, /^Mapping\./],
];

const isMeantFor = (path: string, privilege: string): boolean =>
  meanings.find(([paths]) => paths.test(path))?.[1].test(privilege) ?? true;

function remark(caller: string): string {
  const [user, token] = caller.split("!");
  if (token === undefined || user === "root@pam") return "";
  return `A token without privilege separation has the rights of ${user}; one with it has what both it and ${user} have, so both are granted here. Leave out \`--users\` if ${user} has more on that path already.`;
}
