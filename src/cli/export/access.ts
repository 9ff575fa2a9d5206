import { allOf, given, listed, numeric, optionsIn } from "./fields.ts";
import { otherUuid } from "./pseudonyms.ts";
import type { Fields, Reader } from "./reader.ts";

/** Secrets of realms that PVE shows to users who may change them. */
const secrets = ["client-key", "password"];

/** Users, groups, roles and rights. Tokens get other secrets than they have, since PVE shows none. */
export async function exportAccess(reader: Reader): Promise<Fields> {
  const [domains, users, groups, roles, acl] = await Promise.all([
    reader.list("/access/domains"),
    reader.list("/access/users", { full: 1 }),
    reader.list("/access/groups"),
    reader.list("/access/roles"),
    reader.list("/access/acl"),
  ]);
  const realms = await allOf(domains, async ({ realm, type, comment, default: isDefault }) => {
    const own = await reader.one("/access/domains/{realm}", { realm: String(realm) });
    const known = own ?? given({ comment, default: isDefault });
    return { realm, type, ...optionsIn(known, ["realm", "type", "plugin", ...secrets]) };
  });
  return {
    realms,
    users: users.map((user) => userOf(user)),
    tokens: users
      .flatMap((user) => tokensOf(user))
      .map((token) => ({ ...token, secret: otherUuid(`token ${token["tokenid"]}`) })),
    groups: groups.map(({ groupid, comment }) => given({ groupid, comment })),
    roles: Object.fromEntries(
      roles.filter(({ special }) => !numeric(special)).map(({ roleid, privs }) => [String(roleid), listed(privs)]),
    ),
    acl: acl.map(({ path, type, ugid, roleid, propagate }) => ({ path, type, ugid, roleid, propagate })),
  };
}

function userOf({ userid, enable, expire, groups, email, firstname, lastname, comment }: Fields): Fields {
  const flags = { enable: numeric(enable), expire: numeric(expire) };
  return given({ userid, ...flags, groups: listed(groups), email, firstname, lastname, comment });
}

function tokensOf({ userid, tokens }: Fields): Fields[] {
  return ((tokens ?? []) as readonly Fields[]).map(({ tokenid, privsep, expire, comment }) =>
    given({ tokenid: `${userid}!${tokenid}`, privsep: numeric(privsep), expire: numeric(expire), comment }),
  );
}

export async function exportPools(reader: Reader): Promise<Fields[]> {
  const pools = await reader.list("/pools");
  return allOf(pools, async ({ poolid, comment }) => {
    const [whole] = await reader.list("/pools", { poolid: String(poolid) });
    const members = (whole?.["members"] ?? []) as readonly Fields[];
    const storages = members.filter(({ type }) => type === "storage").map(({ storage }) => String(storage));
    return given({
      poolid,
      comment,
      vms: members.filter(({ type }) => type === "qemu" || type === "lxc").map(({ vmid }) => Number(vmid)),
      storage: [...new Set(storages)],
    });
  });
}
