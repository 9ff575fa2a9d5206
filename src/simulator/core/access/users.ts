import { die } from "../kernel/failure.ts";
import type { Access, Token, User } from "../world/access.ts";
import { verifyUserName } from "./identity.ts";

// Look-ups of pve-access-control `src/PVE/AccessControl.pm`.

export function checkUserExists(access: Access, userid: string): User {
  verifyUserName(userid);
  return access.users[userid] ?? die(`no such user ('${userid}')`);
}

export function checkUserEnabled(access: Access, userid: string): User {
  const user = checkUserExists(access, userid);
  if (!user.enable) {
    die(`user '${userid}' is disabled`);
  }
  if (user.expire !== undefined && user.expire !== 0 && user.expire < Date.now() / 1000) {
    die(`user '${userid}' access expired`);
  }
  return user;
}

export function checkTokenExists(access: Access, userid: string, token: string): Token {
  return checkUserExists(access, userid).tokens[token] ?? die(`no such token '${token}' for user '${userid}'`);
}
