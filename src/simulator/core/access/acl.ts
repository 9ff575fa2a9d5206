import type { Revocation } from "../kernel/simulation.ts";
import type { Access, AclEntry } from "../world/access.ts";
import { rootUser, splitTokenId } from "./identity.ts";
import { type Privilege, privileges } from "./privileges.ts";
import { builtInRoles } from "./roles.ts";

/** Roles or privileges on a path; the flag is true if they also apply below it. */
type Granted<T> = ReadonlyMap<T, boolean>;

const everything: Granted<Privilege> = new Map(privileges.map((privilege) => [privilege, true]));
const nothing: ReadonlyMap<never, boolean> = new Map<never, boolean>();

/** `/`, `/vms`, `/vms/100`: every level from the root down to the path. */
export function pathLevels(path: string): string[] {
  const names = path.split("/").filter((name) => name !== "");
  return ["/", ...names.map((_, index) => `/${names.slice(0, index + 1).join("/")}`)];
}

/**
 * The privileges of callers, by pve-access-control `src/PVE/RPCEnvironment.pm` and `src/PVE/AccessControl.pm`. Results
 * are cached, so an instance belongs to one request, like PVE's own cache.
 */
export class Acl {
  readonly #access: Access;
  readonly #revoked: readonly Revocation[];
  #entries: Map<string, AclEntry[]> | undefined;
  readonly #cache = new Map<string, Map<string, Granted<Privilege>>>();
  readonly #poolRoles = new Map<string, Map<string, Set<string>>>();

  constructor(access: Access, revoked: readonly Revocation[] = []) {
    this.#access = access;
    this.#revoked = revoked;
  }

  privileges(id: string, path: string): Granted<Privilege> {
    if (id === rootUser && this.#revoked.length === 0) {
      return everything;
    }
    let known = this.#cache.get(id);
    if (known === undefined) {
      known = new Map();
      this.#cache.set(id, known);
    }
    let granted = known.get(path);
    if (granted === undefined) {
      granted = this.#withoutRevoked(id, path, id === rootUser ? everything : this.#compute(id, path));
      known.set(path, granted);
    }
    return granted;
  }

  /** Faults revoke privileges, even those of root. */
  #withoutRevoked(id: string, path: string, granted: Granted<Privilege>): Granted<Privilege> {
    const gone = this.#revoked.filter(
      ({ userid, path: from }) => (userid === undefined || userid === id) && pathLevels(path).includes(from),
    );
    return gone.length === 0
      ? granted
      : new Map([...granted].filter(([privilege]) => gone.every((revocation) => revocation.privilege !== privilege)));
  }

  #compute(id: string, path: string): Granted<Privilege> {
    const token = splitTokenId(id);
    if (token === undefined) {
      return this.#privilegesOfRoles(this.#rolesWithPools(id, path));
    }
    const info = this.#access.users[token.user]?.tokens[token.token];
    if (info === undefined) {
      return nothing;
    }
    const owner = this.privileges(token.user, path);
    if (!info.privsep) {
      return owner;
    }
    const own = this.#privilegesOfRoles(this.#rolesWithPools(id, path));
    // A token with privilege separation never has more privileges than its owner; root@pam has all.
    return new Map(
      [...own].flatMap(([privilege, propagate]) => {
        const owned = owner.get(privilege);
        return owned === undefined ? [] : [[privilege, propagate && owned] as const];
      }),
    );
  }

  #privilegesOfRoles(roles: Granted<string>): Granted<Privilege> {
    const granted = new Map<Privilege, boolean>();
    for (const [role, propagate] of roles) {
      for (const privilege of builtInRoles[role] ?? this.#access.roles[role] ?? []) {
        granted.set(privilege, (granted.get(privilege) ?? false) || propagate);
      }
    }
    return granted;
  }

  /** Roles on the path plus those on the pools that contain it; NoAccess of either kind wins. */
  #rolesWithPools(id: string, path: string): Granted<string> {
    const roles = this.#roles(id, path);
    const fromPools = this.#rolesFromPools(id).get(path);
    if (fromPools === undefined || roles.has("NoAccess")) {
      return roles;
    }
    if (fromPools.has("NoAccess")) {
      return new Map([["NoAccess", false]]);
    }
    return new Map([...[...fromPools].map((role) => [role, false] as const), ...roles]);
  }

  /**
   * Walks down the path; roles on a level replace inherited ones. Entries of a token hide those of its user, which hide
   * those of groups.
   */
  #roles(id: string, path: string): Granted<string> {
    const groups = new Set(this.#access.users[id]?.groups ?? []);
    let roles: Granted<string> = nothing;
    for (const level of pathLevels(path)) {
      const applying = (this.#index().get(level) ?? []).filter((entry) => entry.propagate || level === path);
      const own = (["token", "user"] as const).map((type) =>
        applying.filter((entry) => entry.type === type && entry.ugid === id),
      );
      own.push(applying.filter((entry) => entry.type === "group" && groups.has(entry.ugid)));
      const deciding = own.find((entries) => entries.length > 0);
      if (deciding !== undefined) {
        roles = new Map(deciding.map((entry) => [entry.roleid, entry.propagate]));
      }
    }
    return roles.has("NoAccess") ? new Map([["NoAccess", roles.get("NoAccess") as boolean]]) : roles;
  }

  #rolesFromPools(id: string): Map<string, Set<string>> {
    const known = this.#poolRoles.get(id);
    if (known !== undefined) {
      return known;
    }
    const byPath = new Map<string, Set<string>>();
    for (const [name, pool] of Object.entries(this.#access.pools)) {
      const roles = [...this.#roles(id, `/pool/${name}`).keys()];
      if (roles.length === 0) {
        continue;
      }
      for (const member of [...pool.vms.map((vmid) => `/vms/${vmid}`), ...pool.storage.map((id) => `/storage/${id}`)]) {
        byPath.set(member, new Set([...(byPath.get(member) ?? []), ...roles]));
      }
    }
    this.#poolRoles.set(id, byPath);
    return byPath;
  }

  #index(): Map<string, AclEntry[]> {
    this.#entries ??= Map.groupBy(this.#access.acl, (entry) => entry.path);
    return this.#entries;
  }
}
