import type { PathLike } from "#framework";
import type { PveClient } from "#pve";

/** The caller's privileges by path; the flag says whether a privilege holds below the path too. */
export type Permissions = Awaited<ReturnType<PveClient["access"]["getPermissions"]>>;

/** What one step of a plan takes of the caller's rights. */
export interface Need {
  /** One of these … */
  readonly privileges: readonly string[];
  /** … on one of these paths. */
  readonly paths: readonly string[];
  /** What asks for it; null: the object as such. */
  readonly attribute: PathLike;
  /** Where to grant it, if not on the last of the paths. Where the caller has an entry already, that one is extended. */
  readonly grantOn?: string;
}

export const isMet = (permissions: Permissions, { privileges, paths }: Need): boolean =>
  paths.some((path) => privileges.some((privilege) => isGranted(permissions, path, privilege)));

export function isGranted(permissions: Permissions, path: string, privilege: string): boolean {
  return privilegesOn(permissions, path).includes(privilege);
}

/** What the caller may do on a path. PVE lists each path with an entry of its own; elsewhere counts what is passed on from above. */
export function privilegesOn(permissions: Permissions, path: string): string[] {
  const own = permissions[path];
  if (own) return Object.keys(own);
  for (let at = parentOf(path); ; at = parentOf(at)) {
    const above = permissions[at];
    if (above) return Object.keys(above).filter((privilege) => above[privilege]);
    if (at === "/") return [];
  }
}

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf("/")) || "/";
