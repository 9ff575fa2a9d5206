import {
  awaitReference,
  bool,
  bpg,
  checkPrivileges,
  checkReference,
  defineResource,
  Failure,
  isPveError,
  matches,
  movesFrom,
  type Need,
  nullable,
  type PlanContext,
  type Session,
  string,
  userConfigText,
} from "#kit";
import type { TokenId, TokenValues } from "#pve";
import { belowUser } from "./below-user.ts";
import { expiry, expiryToWire, movedExpiry, parseExpiry, warnIfPast } from "./expiry.ts";
import { issueToken, tokenExists, tokenText } from "./issue-token.ts";
import { checkOwnSeparation, isOwnToken, ownSecretLost, refuseOwnEnd, warnOfOwnRotation } from "./own-account.ts";
import { modifyNeed } from "./plan-user.ts";
import { ifVisible, userName } from "./user-name.ts";

export const tokenName = string({
  check: matches(
    /^[A-Za-z][A-Za-z0-9._-]+$/,
    "two or more letters, digits, `.`, `-` and `_`, the first of them a letter",
  ),
});

const attributes = {
  id: {
    type: string(),
    mode: "computed",
    keep: true,
    instead: "Set `user` and `name`.",
    doc: "User and name, `ann@pve!ci`: what `proxmox_acl` takes.",
  },
  user: { type: userName, mode: "required", doc: "Whose token it is, such as `ann@pve`. Another user, another token." },
  name: { type: tokenName, mode: "required", doc: "Name of the token, such as `ci`. Another name, another token." },
  privilege_separation: {
    type: bool(),
    mode: "optional_computed",
    keep: true,
    wire: "privsep",
    doc: "Whether the token has only what is granted to the token alone, and never more than its user. Otherwise it may do all that the user may. Left out: it stays as it is, which is yes for a new token.",
  },
  expire: {
    type: expiry,
    mode: "optional",
    wire: "expire",
    doc: "When the token ends, in RFC 3339 form: `2030-12-31T23:59:59Z`. Left out: never, or with its user.",
  },
  comment: { type: userConfigText(1024), mode: "optional", wire: "comment", doc: "A note. Left out: none." },
  rotate: {
    type: string(),
    mode: "optional",
    local: true,
    doc: "Any text, such as a date. Another text makes a new secret in place (Proxmox VE 9.1 and newer); the old one is of no use from then on.",
  },
  value: {
    type: nullable(string()),
    mode: "computed",
    sensitive: true,
    keep: { unless: ["rotate"] },
    instead: "Proxmox VE generates the secret. Set `rotate` to another text for a new one.",
    doc: "The secret. Proxmox VE shows it once, so it is kept in the state: protect that, or use the ephemeral resource of the same name. Null after an import, until `rotate` makes a new one.",
  },
} as const;

/** `proxmox_token`. Server side: pve-access-control `src/PVE/API2/User.pm`. */
export const token = defineResource({
  type: "proxmox_token",
  subcategory: "Access",
  doc: "An API token of a user. **Its secret, `value`, is in the state in clear:** Proxmox VE shows it only once, when the token is made. Where the token is needed during a run only, use the ephemeral resource `proxmox_token`, which stores nothing.",
  attributes,
  identity: ["user", "name"],
  moves: movesFrom({ attributes, identity: ["user", "name"], noun: "token" }, [
    bpg("user_token", {
      id: "id",
      user: "user_id",
      name: "token_name",
      privilege_separation: "privileges_separation",
      expire: movedExpiry,
      comment: "comment",
      // Stored here, too; theirs is `ann@pve!ci=SECRET`.
      value: (old) => old.text("value")?.replace(/^.*=/, ""),
    }),
  ]),
  label: ({ user, name }) => (user && name ? `token "${user}!${name}"` : "token"),

  async plan(context) {
    const { api, config, planned, prior } = context;
    const { user, name } = planned;
    if (prior === null && user !== undefined && name !== undefined) context.set("id", tokenText({ user, name }));
    if (prior === null && config.privilege_separation === null) context.set("privilege_separation", true);
    // Without a text there is nothing to rotate for.
    if (prior !== null && config.rotate === null) context.keep("value");
    if (api && user !== undefined && name !== undefined) {
      await planToken(context, api, { user, name });
    }
  },

  async planDelete(context) {
    const { api, id, report } = context;
    if (!api) return;
    if (isOwnToken(api, id)) {
      report.error(
        null,
        "The provider's own token",
        "The provider works with this token: remove it with another account.",
      );
    }
    await checkPrivileges({ report, api, needs: await needsOf(api, id) });
  },

  async create({ api, desired, signal, log, obtained }) {
    const { user, name } = desired;
    await awaitReference(api, { kind: "user", name: user, signal });
    const given = {
      ...(desired.expire === null ? {} : { expire: expiryToWire(desired.expire) }),
      ...(desired.comment === null ? {} : { comment: desired.comment }),
      ...(desired.privilege_separation === undefined ? {} : { privsep: desired.privilege_separation }),
    };
    const secret = await issueToken({ api, log, signal, id: { user, name }, given, path: "name" });
    obtained({ value: secret });
    api.planned.fulfil("token", tokenText({ user, name }));
    return { user, name };
  },

  async read({ api, id, state, signal }) {
    const found = await belowUser(api, id.user, () => api.access.tokens.find(id, { signal }));
    if (found === null) return null;
    return {
      ...id,
      id: tokenText(id),
      privilege_separation: found.privsep,
      expire: parseExpiry(found.expire),
      comment: found.comment || null,
      value: state?.value ?? null,
    };
  },

  async update({ api, id, desired, changes, signal, obtained }) {
    const { expire, comment, privilege_separation: separation } = desired;
    const values: TokenValues = {
      ...(changes.has("expire") ? { expire: expiryToWire(expire) } : {}),
      ...(changes.has("comment") ? { comment: comment ?? "" } : {}),
      ...(changes.has("privilege_separation") && separation !== undefined ? { privsep: separation } : {}),
    };
    if (Object.keys(values).length > 0) await api.access.tokens.update(id, values, { signal });
    if (changes.has("rotate") && desired.rotate !== null) {
      obtained({ value: await regenerate(api, id, signal) });
    }
  },

  async delete({ api, id, signal }) {
    await belowUser(api, id.user, () => api.access.tokens.remove(id, { signal }));
  },

  import({ id }) {
    const [, user, name] = /^([^!]+)!([^!]+)$/.exec(id.trim()) ?? [];
    if (user === undefined || name === undefined) {
      throw new Failure("Invalid import ID", `"${id}" is not of the form USER@REALM!NAME, such as "ann@pve!ci".`);
    }
    return { user, name };
  },
});

async function regenerate(api: Session, id: TokenId, signal: AbortSignal): Promise<string> {
  try {
    return await api.access.tokens.regenerate(id, { signal });
  } catch (reason) {
    if (!isPveError(reason, "invalid") || !reason.details.params?.["regenerate"]) {
      throw isOwnToken(api, id) ? ownSecretLost(id, reason) : reason;
    }
    throw new Failure(
      "This host cannot rotate tokens",
      "Proxmox VE makes new secrets for old tokens from 9.1 on. Replace the token instead: `-replace=ADDRESS`.",
      { path: "rotate", cause: reason },
    );
  }
}

async function planToken(
  { config, prior, changes, report }: PlanContext<typeof attributes, object, Session>,
  api: Session,
  id: TokenId,
): Promise<void> {
  if (changes.size === 0) return;
  if (changes.has("expire")) warnIfPast(report, config.expire);
  if (prior === null) {
    api.planned.add("token", tokenText(id));
    const isUser = await checkReference(api, report, { kind: "user", name: id.user, path: "user" });
    const isNew =
      !isUser || api.planned.has("user", id.user) || api.managed.has("proxmox_token", `${id.user}/${id.name}`);
    if (!isNew && (await ifVisible(() => api.access.tokens.find(id)))) {
      const { summary, detail } = tokenExists(id);
      report.error("name", summary, detail);
    }
  } else if (isOwnToken(api, id)) {
    if (changes.has("rotate") && config.rotate !== null) warnOfOwnRotation(report, api);
    if (changes.has("expire")) refuseOwnEnd(report, api, config.expire);
    if (config.privilege_separation && prior.privilege_separation === false) await checkOwnSeparation(report, api);
  }
  await checkPrivileges({ report, api, needs: await needsOf(api, id) });
}

/** A user may change its own tokens; a token owns none. */
async function needsOf(api: Session, { user }: TokenId): Promise<Need[]> {
  if (api.identity === user) return [];
  return [modifyNeed((await ifVisible(() => api.access.users.find(user)))?.groups ?? [])];
}
