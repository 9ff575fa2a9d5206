import { die } from "../kernel/failure.ts";
import { matches } from "../schema/pattern.ts";

// Names of users and tokens (pve-access-control `src/PVE/Auth/Plugin.pm`, `src/PVE/AccessControl.pm`).

export const userPattern = "[^\\s:/]+";
/** Also applies to names of tokens. */
export const realmPattern = "[A-Za-z][A-Za-z0-9.\\-_]+";

export const rootUser = "root@pam";

const tokenId = new RegExp(`^(${userPattern}@${realmPattern})!(${realmPattern})$`);

/** The parts of `user@realm!token`; undefined if the text is not a full token id. */
export function splitTokenId(id: string): { user: string; token: string } | undefined {
  const match = tokenId.exec(id);
  return match === null ? undefined : { user: match[1] as string, token: match[2] as string };
}

/** The parts of `user@realm`, or the error text. */
export function verifyUserName(id: string): { user: string; name: string; realm: string } {
  const { length } = id;
  if (length < 3) {
    die(`user name '${id}' is too short`);
  }
  if (length > 64) {
    die(`user name '${id}' is too long (${length} > 64)`);
  }
  if (!matches(`${userPattern}@${realmPattern}`, id)) {
    die(`value '${id}' does not look like a valid user name`);
  }
  const at = id.lastIndexOf("@");
  return { user: id, name: id.slice(0, at), realm: id.slice(at + 1) };
}
