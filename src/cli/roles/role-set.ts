import { type Grant, type Grantees, grantCommands, passedOn, roleFor } from "#kit";
import { vmPrivileges } from "../../resources/vm/privileges.ts";
import { type CapabilityName, type PathKind, privilegesByKind, wholePath } from "./capabilities.ts";
import { capabilitiesOf, grantsOf } from "./grants-by-type.ts";

/** The purpose of the roles: the life cycle of all VMs or of those in a pool, or read access only. */
export type Scope =
  | { readonly kind: "vms" }
  | { readonly kind: "pool"; readonly pool: string }
  | { readonly kind: "read-only" };

export interface RoleRequest {
  readonly scope: Scope;
  readonly user: string;
  /** The token's own name. */
  readonly token: string;
  /** Paths to grant privileges on instead of everything of their kind. */
  readonly storages: readonly string[];
  readonly bridges: readonly string[];
  /** The only templates to clone, in the pool or not; default: any. */
  readonly templates: readonly number[];
  readonly extras: readonly CapabilityName[];
  /** Resource types. */
  readonly types: readonly string[];
}

/**
 * The roles that such a caller requires, each with its paths and the least privileges, of those that the host has; null: of
 * all.
 */
export async function grantsFor(request: RoleRequest, host: ReadonlySet<string> | null): Promise<Grant[]> {
  const { scope, templates, extras, types } = request;
  if (scope.kind === "read-only") {
    const privileges = new Set([...privilegesByKind(["plan", ...extras], host).values()].flat());
    return [{ role: "terraform-read-only", privileges: [...privileges].sort(), paths: ["/"] }];
  }
  const seesPool: readonly CapabilityName[] = scope.kind === "pool" ? ["seePool"] : [];
  const byKind = privilegesByKind([...types.flatMap(capabilitiesOf), ...seesPool, ...extras], host);
  const byPath = (await Promise.all(types.map((type) => grantsOf(type, host)))).flatMap((grants) =>
    Object.entries(grants),
  );
  const grants = withInherited(
    onPaths([
      ...byPath.map(([path, privileges]) => ({ role: roleFor(path), privileges, paths: [path] })),
      ...[...byKind].map(([kind, privileges]) => ({
        role: `terraform-${kind}`,
        privileges,
        paths: pathsOf(kind, request),
      })),
    ]),
  );
  return distinctRoles(templates.length === 0 ? grants : withTemplates(grants, templates));
}

/** A role hides what another one grants further up, so it repeats what has an effect there. */
const withInherited = (grants: readonly Grant[]): Grant[] =>
  grants.map((grant) => {
    const inherited = grant.paths.flatMap((path) => passedOn(grants, path));
    return { ...grant, privileges: [...new Set([...grant.privileges, ...inherited])].sort() };
  });

/** Two roles of one name on different paths: the second one is named after its path. */
function distinctRoles(grants: readonly Grant[]): Grant[] {
  const isSecond = ({ role }: Grant, at: number) => grants.findIndex((other) => other.role === role) < at;
  return grants.map((grant, at) => (isSecond(grant, at) ? { ...grant, role: roleFor(grant.paths[0] ?? "/") } : grant));
}

/** With named templates, only those may be cloned, and nothing else is done to them: their role repeats nothing. */
function withTemplates(grants: readonly Grant[], templates: readonly number[]): Grant[] {
  const clone: readonly string[] = vmPrivileges.cloneSource.privileges;
  const others = grants.map((grant) => ({
    ...grant,
    privileges: grant.privileges.filter((one) => !clone.includes(one)),
  }));
  const privileges = [...vmPrivileges.seeSource.privileges, ...clone];
  return [...others, { role: "terraform-template", privileges, paths: templates.map((vmid) => `/vms/${vmid}`) }];
}

function pathsOf(kind: PathKind, { scope, storages, bridges }: RoleRequest): string[] {
  const inPool = scope.kind === "pool" && (kind === "vms" || kind === "pool");
  if (inPool) return [`/pool/${scope.pool}`];
  if (kind === "storage" && storages.length > 0) return storages.map((storage) => `/storage/${storage}`);
  if (kind === "network" && bridges.length > 0) return bridges.map((bridge) => `/sdn/zones/localnetwork/${bridge}`);
  return [wholePath[kind]];
}

/** The privileges for a pool's VMs and for the pool itself are on the same path, so they form one role: the pool's. */
function onPaths(grants: readonly Grant[]): Grant[] {
  return [...Map.groupBy(grants, ({ paths }) => paths.join()).values()].flatMap((same) => {
    const last = same.at(-1);
    const privileges = [...new Set(same.flatMap((grant) => grant.privileges))].sort();
    return last ? [{ ...last, privileges }] : [];
  });
}

/** All commands for an administrator, up to a working token. */
export function commandsFor({ user, token }: RoleRequest, grants: readonly Grant[]): string[] {
  const grantees: Grantees = { user, token: `${user}!${token}` };
  return [
    `pveum user add ${user}`,
    `pveum user token add ${user} ${token} --privsep 1`,
    ...grants.flatMap((grant) => grantCommands(grant, grantees)),
  ];
}
