import type { Caller } from "../core/access/caller.ts";
import { rootUser } from "../core/access/identity.ts";
import { checkUserExists } from "../core/access/users.ts";
import { paramError, permissionError } from "../core/kernel/failure.ts";
import type { Access, User } from "../core/world/access.ts";
import { checkPassword } from "./passwords.ts";

/**
 * Changes to passwords and second factors: only root can change root's; all other users must repeat their own password.
 */
export function reauthenticate(
  access: Access,
  caller: Caller,
  userid: string,
  password: string | undefined,
  parameter: string,
): User {
  const user = checkUserExists(access, userid);
  if (userid === rootUser && !caller.isRoot) {
    permissionError();
  }
  if (!caller.isRoot) {
    if (password === undefined) {
      paramError({ [parameter]: "password is required to modify user" });
    }
    checkPassword(access, caller.user, password);
  }
  return user;
}
