import { Failure, failureText } from "../kernel/failure.ts";
import { clusterFileLock } from "../kernel/locks.ts";
import type { Process } from "../kernel/process.ts";
import type { Access } from "../world/access.ts";
import { rootUser, splitTokenId } from "./identity.ts";
import { builtInRoles } from "./roles.ts";

/**
 * PVE::AccessControl::lock_user_config: changes user.cfg, all or nothing. Every error becomes a plain 500 with
 * `prefix` in front, even one that would be a 400 otherwise.
 */
export async function changeUserConfig<T>(process: Process, prefix: string, change: (access: Access) => T): Promise<T> {
  try {
    return await process.lock(clusterFileLock("user.cfg"), {}, () => {
      const { world } = process.sim;
      const before = structuredClone(world.access);
      try {
        const result = change(world.access);
        forgetDanglingEntries(world.access);
        trimTexts(world.access);
        return result;
      } catch (thrown) {
        world.access = before;
        throw thrown;
      }
    });
  } catch (thrown) {
    throw new Failure(`${prefix}: ${failureText(thrown)}`);
  }
}

/** Entries that the parser of user.cfg skips when it reads the file again: those of removed roles and tokens. */
function forgetDanglingEntries(access: Access): void {
  access.acl = access.acl.filter(({ type, ugid, roleid }) => {
    if (builtInRoles[roleid] === undefined && access.roles[roleid] === undefined) {
      return false;
    }
    if (type === "token") {
      const split = splitTokenId(ugid);
      return split !== undefined && access.users[split.user]?.tokens[split.token] !== undefined;
    }
    // root@pam is always Administrator and never written.
    return !(type === "user" && ugid === rootUser);
  });
}

/**
 * The blanks around a field of a line are lost; other white space is escaped. A text that is false in Perl counts as
 * missing.
 */
function trimTexts({ users, groups, pools }: Access): void {
  const entries = [...Object.values(users), ...Object.values(groups), ...Object.values(pools)];
  const tokens = Object.values(users).flatMap((user) => Object.values(user.tokens));
  for (const entry of [...entries, ...tokens] as Partial<Record<(typeof texts)[number], string>>[]) {
    for (const name of texts) {
      const text = entry[name]?.replace(/^ +| +$/g, "");
      if (text === undefined || text === entry[name]) {
        continue;
      }
      if (text === "" || text === "0") {
        delete entry[name];
      } else {
        entry[name] = text;
      }
    }
  }
}

const texts = ["comment", "firstname", "lastname", "email"] as const;
