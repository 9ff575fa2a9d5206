/** Privileges on paths, as they are about to be granted. */
interface Granted {
  readonly privileges: readonly string[];
  readonly paths: readonly string[];
}

/**
 * Of what is granted above a path, all that has an effect there. An entry on the path hides it from the same subject, so the role
 * of that entry has to repeat it (pve-access-control: src/PVE/AccessControl.pm, `roles`).
 */
export function passedOn(grants: readonly Granted[], path: string): string[] {
  const above = grants.filter(({ paths }) => paths.some((one) => isAbove(one, path)));
  return [...new Set(above.flatMap(({ privileges }) => privileges))].filter((one) => hasEffectOn(path, one));
}

const isAbove = (one: string, path: string): boolean => one !== path && path.startsWith(one === "/" ? one : `${one}/`);

/** The privileges that Proxmox VE looks at on the paths of an area; on all others, any. */
const areas: readonly (readonly [RegExp, RegExp])[] = [
  [/^\/storage(\/|$)/, /^Datastore\./],
  [/^\/vms(\/|$)/, /^VM\./],
  [/^\/pool(\/|$)/, /^(VM|Datastore|Pool)\./],
  [/^\/sdn(\/|$)/, /^SDN\./],
  [/^\/mapping(\/|$)/, /^Mapping\./],
  [/^\/access\/groups(\/|$)/, /^(Group\.|User\.|Sys\.Audit$)/],
  [/^\/access\/realm(\/|$)/, /^(Realm\.|Sys\.Audit$)/],
];

/** Every path has entries of the ACL, which `Permissions.Modify` lets a caller change. */
export const hasEffectOn = (path: string, privilege: string): boolean =>
  privilege === "Permissions.Modify" || (areas.find(([paths]) => paths.test(path))?.[1].test(privilege) ?? true);
