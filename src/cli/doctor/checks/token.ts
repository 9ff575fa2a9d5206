import { isPveError, type Permissions } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import type { Visit } from "../visit.ts";

/** Whether the token has rights of its own: what it may do is then what both it and its owner may do. */
export const token: Check = {
  id: "token",
  needs: ["login"],
  async look(visit) {
    const { identity } = visit.client();
    const [user = "", name] = identity.split("!");
    if (name === undefined) return ok(`no token: ${user} acts with the rights of its own`);
    return judge({ user, name }, await separation(visit, { user, name }));
  },
};

interface TokenId {
  readonly user: string;
  readonly name: string;
}

interface Separation {
  /** Undefined: it cannot be told. */
  readonly isSeparated: boolean | undefined;
  readonly own: Permissions;
  /** What its owner may do, where that may be seen. */
  readonly owners: Permissions | undefined;
}

/** A token may read neither its own entry nor its owner's rights without being granted that (RPCEnvironment.pm). */
async function separation(visit: Visit, id: TokenId): Promise<Separation> {
  const { access } = visit.client();
  const [entry, owners, own] = await Promise.all([
    orForbidden(access.tokens.find(id)),
    orForbidden(access.getPermissions({ userid: id.user })),
    visit.permissions(),
  ]);
  const hasLess = owners !== undefined && excess(owners, own).length > 0;
  return { isSeparated: entry?.privsep ?? (hasLess ? true : undefined), own, owners };
}

async function orForbidden<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (reason) {
    if (isPveError(reason, "permission")) return undefined;
    throw reason;
  }
}

function judge({ user, name }: TokenId, { isSeparated, own, owners }: Separation): Finding {
  const id = `${user}!${name}`;
  if (isSeparated === false) return ok(`no privilege separation: ${id} may do what ${user} may`);
  const more = owners === undefined ? undefined : excess(owners, own);
  if (isSeparated === undefined) {
    if (more?.length === 0) return ok(`it may do all that ${user} may`);
    return ok("whether it has rights of its own may not be seen (User.Modify); what it may do is told below");
  }
  const cure = [
    `It may do what both it and ${user} may: grant rights to both, as with \`--users ${user} --tokens '${id}'\`,`,
    `or let it have those of ${user}: \`pveum user token modify ${user} ${name} --privsep 0\`.`,
  ];
  if (Object.keys(own).length === 0) return failed(`privilege separation is on, and ${id} has no rights`, ...cure);
  return more === undefined || more.length === 0
    ? ok("privilege separation is on: rights have to be granted to the user and to the token")
    : notice(`privilege separation is on, and ${user} has more: ${more.join(", ")}`, ...cure);
}

/** Privileges the first has somewhere and the second has not there. */
function excess(first: Permissions, second: Permissions): string[] {
  const names = Object.entries(first).flatMap(([path, privileges]) =>
    Object.keys(privileges).filter((privilege) => !(privilege in (second[path] ?? {}))),
  );
  return [...new Set(names)].sort();
}
