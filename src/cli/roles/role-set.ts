import { type Grant, type Grantees, grantCommands } from "#kit";
import { vmRights } from "../../resources/vm/rights.ts";
import { type CapabilityName, lifeCycle, type PathKind, privilegesByKind, wholePath } from "./capabilities.ts";

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
}

/** The roles that such a caller requires, each with its paths and the least privileges. */
export function grantsFor(request: RoleRequest): Grant[] {
  const { scope, templates, extras } = request;
  if (scope.kind === "read-only") {
    const privileges = new Set([...privilegesByKind(["plan", ...extras]).values()].flat());
    return [{ role: "terraform-read-only", privileges: [...privileges].sort(), paths: ["/"] }];
  }
  const seesPool: readonly CapabilityName[] = scope.kind === "pool" ? ["seePool"] : [];
  const byKind = privilegesByKind([...lifeCycle, ...seesPool, ...extras]);
  const grants = onPaths(
    [...byKind].map(([kind, privileges]) => ({
      role: `terraform-${kind}`,
      privileges,
      paths: pathsOf(kind, request),
    })),
  );
  return templates.length === 0 ? grants : withTemplates(grants, templates);
}

/** With named templates, only those may be cloned. */
function withTemplates(grants: readonly Grant[], templates: readonly number[]): Grant[] {
  const clone: readonly string[] = vmRights.cloneSource.privileges;
  const others = grants.map((grant) => ({
    ...grant,
    privileges: grant.privileges.filter((one) => !clone.includes(one)),
  }));
  const privileges = [...vmRights.seeSource.privileges, ...clone];
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
