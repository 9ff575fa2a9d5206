/**
 * Who may call an endpoint, as PVE describes it: all of the privileges on a path, or any of them; combinations; only
 * `root@pam` with a password (`root`); or a rule that PVE has code for (`code`), which the definition then states.
 */
export type Check =
  | readonly ["perm", path: string, privileges: readonly string[], mode?: "any"]
  | readonly ["and" | "or", checks: readonly Check[]]
  | readonly ["root"]
  | readonly ["code"];
