import { isPveError, type Permissions } from "#pve";
import { type Check, type Finding, failed, notice, ok } from "../check.ts";
import type { CheckContext } from "../check-context.ts";

/** Whether the token has privilege separation: it then has only the privileges that both it and its owner have. */
export const token: Check = {
  id: "token",
  needs: ["login"],
  async look(context) {
    const { identity } = context.client();
    const [user = "", name] = identity.split("!");
    if (name === undefined) return ok(`no token: ${user} acts with its own privileges`);
    return judge({ user, name }, await separation(context, { user, name }));
  },
};

interface TokenId {
  readonly user: string;
  readonly name: string;
}

interface Separation {
  /** Undefined: not visible. */
  readonly isSeparated: boolean | undefined;
  readonly own: Permissions;
  /** The owner's privileges, where they are visible. */
  readonly owners: Permissions | undefined;
}

/** A token may read neither its own entry nor its owner's privileges unless that is granted (RPCEnvironment.pm). */
async function separation(context: CheckContext, id: TokenId): Promise<Separation> {
  const { access } = context.client();
  const [entry, owners, own] = await Promise.all([
    orForbidden(access.tokens.find(id)),
    orForbidden(access.getPermissions({ userid: id.user })),
    context.permissions(),
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
  if (isSeparated === false) return ok(`no privilege separation: ${id} has the privileges of ${user}`);
  const more = owners === undefined ? undefined : excess(owners, own);
  if (isSeparated === undefined) {
    if (more?.length === 0) return ok(`it has all privileges of ${user}`);
    return ok("privilege separation is not visible without User.Modify; the lines below show its effective privileges");
  }
  const cure = [
    `It has only the privileges that both it and ${user} have: grant them to both, as with \`--users ${user} --tokens '${id}'\`,`,
    `or give it the privileges of ${user}: \`pveum user token modify ${user} ${name} --privsep 0\`.`,
  ];
  if (Object.keys(own).length === 0) return failed(`privilege separation is on, and ${id} has no privileges`, ...cure);
  return more === undefined || more.length === 0
    ? ok("privilege separation is on: grant privileges to both the user and the token")
    : notice(`privilege separation is on, and ${user} has more: ${more.join(", ")}`, ...cure);
}

/** Privileges that the first has somewhere and the second does not have there. */
function excess(first: Permissions, second: Permissions): string[] {
  const names = Object.entries(first).flatMap(([path, privileges]) =>
    Object.keys(privileges).filter((privilege) => !(privilege in (second[path] ?? {}))),
  );
  return [...new Set(names)].sort();
}
