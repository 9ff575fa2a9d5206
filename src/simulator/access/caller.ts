import type { Privilege } from "./privileges.ts";

/** Who is calling. All checks follow the ACLs as they are at that moment. */
export interface Caller {
  /** `user@realm` or `user@realm!token`; empty for a caller without login. */
  readonly id: string;
  /** The user a token belongs to, else the same as `id`. */
  readonly user: string;
  readonly token: string | undefined;
  /** The user root@pam itself: PVE compares literally, so a token of root@pam is not root. */
  readonly isRoot: boolean;

  has(path: string, privileges: readonly Privilege[]): boolean;
  hasAny(path: string, privileges: readonly Privilege[]): boolean;
  /** 403 `Permission check failed (<path>, <first missing privilege>)`. */
  check(path: string, privileges: readonly Privilege[]): void;
  /** 403 `Permission check failed (<path>, A|B)`. */
  checkAny(path: string, privileges: readonly Privilege[]): void;
  /** `check_vm_perm`: on `/pool/<pool>` if a pool is given, else or otherwise on `/vms/<vmid>`. */
  checkVm(vmid: number, pool: string | undefined, privileges: readonly Privilege[], any?: "any"): void;
}
