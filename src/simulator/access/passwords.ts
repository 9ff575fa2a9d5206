import { verifyUserName } from "../core/access/identity.ts";
import { die } from "../core/kernel/failure.ts";
import type { Access } from "../core/world/access.ts";
import type { ConfigSection } from "../core/world/section.ts";

/** The realm a user belongs to. */
export function checkRealmExists(access: Access, realm: string): ConfigSection {
  return access.realms[realm] ?? die(`auth domain '${realm}' does not exist`);
}

/** First factor. Passwords are stored in plain text: the simulator protects no real account. */
export function checkPassword(access: Access, userid: string, password: string): void {
  const { realm } = verifyUserName(userid);
  checkRealmExists(access, realm);
  if (password === "") {
    die("no password");
  }
  const user = access.users[userid];
  if (user?.password === undefined) {
    die("no password set");
  }
  if (user.password !== password) {
    die("invalid credentials");
  }
}
