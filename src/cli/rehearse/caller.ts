import { randomUUID } from "node:crypto";
import type { Fields } from "../export/reader.ts";

/** Who acts on the copy: with the rights of the caller on the real cluster, also where not every entry can be read. */
export interface Caller {
  readonly token: string;
  readonly rootPassword: string;
}

type Permissions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const user = "rehearsal@pve";
const tokenName = "copy";

/** Adds a user to a seed who may do what `/access/permissions` says. */
export function withCaller(seed: Fields, permissions: Permissions): { readonly seed: Fields; readonly caller: Caller } {
  const secret = randomUUID();
  const rootPassword = randomUUID();
  const roles: Record<string, string[]> = {};
  const acl: Fields[] = [];
  for (const [path, privileges] of Object.entries(permissions)) {
    for (const propagate of [1, 0]) {
      const held = Object.keys(privileges).filter((name) => (privileges[name] ? 1 : 0) === propagate);
      // What is held without being passed on to what is below has an entry of its own.
      if (held.length === 0) continue;
      const roleid = `Rehearsal${Object.keys(roles).length + 1}`;
      roles[roleid] = held;
      acl.push({ path, type: "user", ugid: user, roleid, propagate });
    }
  }
  const users = listOf(seed, "users").filter(({ userid }) => userid !== "root@pam");
  return {
    caller: { token: `${user}!${tokenName}=${secret}`, rootPassword },
    seed: {
      ...seed,
      users: [...users, { userid: "root@pam", password: rootPassword }, { userid: user }],
      tokens: [...listOf(seed, "tokens"), { tokenid: `${user}!${tokenName}`, secret, privsep: 0 }],
      roles: { ...((seed["roles"] ?? {}) as Fields), ...roles },
      acl: [...listOf(seed, "acl"), ...acl],
    },
  };
}

const listOf = (seed: Fields, name: string): readonly Fields[] => (seed[name] ?? []) as readonly Fields[];
