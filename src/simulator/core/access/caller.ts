import { permissionError } from "../kernel/failure.ts";
import type { Acl } from "./acl.ts";
import { rootUser, splitTokenId } from "./identity.ts";
import type { Privilege } from "./privileges.ts";

/** The caller and its privileges. */
export class Caller {
  /** `user@realm` or `user@realm!token`; empty for a caller without login. */
  readonly id: string;
  /** The user to whom a token belongs, otherwise the same as `id`. */
  readonly user: string;
  readonly token: string | undefined;
  /** True for the user root@pam only: PVE compares literally, so a token of root@pam is not root. */
  readonly isRoot: boolean;
  readonly #acl: Acl;

  constructor(id: string, acl: Acl) {
    const split = splitTokenId(id);
    this.id = id;
    this.user = split?.user ?? id;
    this.token = split?.token;
    this.isRoot = id === rootUser;
    this.#acl = acl;
  }

  /** Privileges on a path with their propagation flag. */
  privileges(path: string): ReadonlyMap<Privilege, boolean> {
    return this.#acl.privileges(this.id, path);
  }

  has(path: string, privileges: readonly Privilege[]): boolean {
    const granted = this.privileges(path);
    return privileges.every((privilege) => granted.has(privilege));
  }

  hasAny(path: string, privileges: readonly Privilege[]): boolean {
    const granted = this.privileges(path);
    return privileges.some((privilege) => granted.has(privilege));
  }

  /** 403 `Permission check failed (<path>, <first missing privilege>)`. */
  check(path: string, privileges: readonly Privilege[]): void {
    const granted = this.privileges(path);
    const missing = privileges.find((privilege) => !granted.has(privilege));
    if (missing !== undefined) {
      permissionError(`${path}, ${missing}`);
    }
  }

  /** 403 `Permission check failed (<path>, A|B)`. */
  checkAny(path: string, privileges: readonly Privilege[]): void {
    if (!this.hasAny(path, privileges)) {
      permissionError(`${path}, ${privileges.join("|")}`);
    }
  }

  /** `check_vm_perm`: privileges on `/pool/<pool>` also count, if a pool is given; the text names `/vms/<vmid>`. */
  checkVm(vmid: number, pool: string | undefined, privileges: readonly Privilege[], any?: "any"): void {
    const suffices = any === undefined ? this.has.bind(this) : this.hasAny.bind(this);
    if (pool !== undefined && suffices(`/pool/${pool}`, privileges)) {
      return;
    }
    if (any === undefined) {
      this.check(`/vms/${vmid}`, privileges);
    } else {
      this.checkAny(`/vms/${vmid}`, privileges);
    }
  }
}
