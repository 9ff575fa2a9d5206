import type { Privilege } from "../access/privileges.ts";

/**
 * Who may call an endpoint, written as in PVE's method definitions. Without it only root@pam may. `{name}` in a path is
 * replaced by that parameter, or by `-` if it is missing.
 */
export type Permissions =
  /** All callers, even without a login. */
  | { readonly user: "world" }
  /** All logged-in callers; the handler filters. */
  | { readonly user: "all" }
  | { readonly check: Check };

export type Check =
  | readonly ["perm", path: string, privileges: readonly Privilege[], options?: PermOptions]
  | readonly ["and" | "or", ...Check[]]
  | readonly ["userid-param", who: "self" | "Realm.AllocateUser"]
  | readonly [
      "userid-group",
      privileges: readonly Privilege[],
      options?: { readonly groups_param: "create" | "update" },
    ]
  /** May write ACL entries on that path. */
  | readonly ["perm-modify", path: string];

export interface PermOptions {
  /** One of the privileges is enough. */
  readonly any?: true;
  /** The check fails unless this parameter is given. */
  readonly require_param?: string;
}
