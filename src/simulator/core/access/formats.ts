import { die } from "../kernel/failure.ts";
import { listOf, namedFormat } from "../schema/format.ts";
import { matches } from "../schema/pattern.ts";
import { string } from "../schema/schema.ts";
import { realmPattern, splitTokenId, verifyUserName } from "./identity.ts";
import { type Privilege, privileges } from "./privileges.ts";

// Formats and standard options of pve-access-control.

export const realmFormat = namedFormat("pve-realm", (value) => {
  if (!matches(realmPattern, value)) {
    die("value does not look like a valid realm");
  }
});

export const userIdFormat = namedFormat("pve-userid", (value) => {
  verifyUserName(value);
});

export const tokenIdFormat = namedFormat("pve-tokenid", (value) => {
  if (splitTokenId(value) === undefined) {
    die(`value '${value}' does not look like a valid token ID`);
  }
});

const plainName = (name: string, kind: string) =>
  namedFormat(name, (value) => {
    if (!matches("[A-Za-z0-9.\\-_]+", value)) {
      die(`${kind} name '${value}' contains invalid characters`);
    }
  });

export const groupIdFormat = plainName("pve-groupid", "group");
export const roleIdFormat = plainName("pve-roleid", "role");

export const privilegeFormat = namedFormat("pve-priv", (value) => {
  if (!(privileges as readonly string[]).includes(value)) {
    die(`invalid privilege '${value}'`);
  }
});

export const userIdListFormat = listOf(userIdFormat);
export const groupIdListFormat = listOf(groupIdFormat);
export const tokenIdListFormat = listOf(tokenIdFormat);
export const roleIdListFormat = listOf(roleIdFormat);
export const privilegeListFormat = listOf(privilegeFormat);

export const userId = string({ format: userIdFormat, maxLength: 64 });
export const realm = string({ format: realmFormat, maxLength: 32 });
export const tokenName = string({ pattern: realmPattern });

/** The privileges in a valid `pve-priv-list`. */
export function privilegesIn(list: readonly string[]): Privilege[] {
  return list as Privilege[];
}
