import { randomBytes } from "node:crypto";
import {
  bool,
  defineEphemeral,
  list,
  nested,
  parseDuration,
  type Session,
  string,
  timestamp,
  userConfigText,
} from "#kit";
import type { TokenId } from "#pve";
import { faultOfPath } from "./acl-path.ts";
import { issueToken, tokenText } from "./issue-token.ts";
import { tokenName } from "./token.ts";
import { userName } from "./user-name.ts";

const usualLifetime = "1h";
const shortestMs = 60_000;

/** What `renew` and `close` need to know: nothing that is secret. */
interface OpenToken {
  token: TokenId | null;
  lifetimeMs: number;
}

/** `ephemeral "proxmox_token"`. Server side: pve-access-control `src/PVE/API2/User.pm`. */
export const ephemeralToken = defineEphemeral({
  type: "proxmox_token",
  subcategory: "Access",
  doc: "An API token for the time of a run: made when it is needed, removed when it is not any more, and never stored. If the run is interrupted before it can be removed, it expires on its own.",
  attributes: {
    user: { type: userName, mode: "required", doc: "Whose token it is, such as `ann@pve`." },
    name: {
      type: tokenName,
      mode: "optional_computed",
      doc: "Name of the token. Left out: a unique one, so that several runs do not get in each other's way.",
    },
    comment: { type: userConfigText(1024), mode: "optional", doc: "A note. Left out: one that says what it is for." },
    lifetime: {
      type: string({
        check: (text) => {
          const length = parseDuration(text);
          if (length === null) return "Must be a duration such as `30m` or `2h`.";
          return length < shortestMs ? "Must be at least a minute." : undefined;
        },
      }),
      mode: "optional",
      doc: `How long the token is good for if it is not removed; while the run lasts, it is prolonged. Left out: \`${usualLifetime}\`.`,
    },
    permissions: {
      type: list(
        nested({
          path: {
            type: string({ check: faultOfPath }),
            mode: "required",
            doc: "Where, such as `/vms` or `/pool/prod`.",
          },
          role: { type: string(), mode: "required", doc: "What, such as `PVEVMUser`." },
          propagate: { type: bool(), mode: "optional", doc: "Whether it holds below the path, too. Left out: yes." },
        }),
      ),
      mode: "optional",
      doc: "What the token may do, as far as its user may do it. Left out: all that its user may.",
    },
    id: {
      type: string(),
      mode: "computed",
      instead: "Set `user` and `name`.",
      doc: "User and name, `ann@pve!terraform-1a2b3c4d`.",
    },
    expire: {
      type: string(),
      mode: "computed",
      instead: "Set `lifetime`.",
      doc: "When the token ends unless it is prolonged, in RFC 3339 form.",
    },
    value: { type: string(), mode: "computed", sensitive: true, doc: "The secret." },
  },
  privateState: { token: null, lifetimeMs: 0 } as OpenToken,

  async open({ api, config, privateState, log, signal }) {
    const id = { user: config.user, name: config.name ?? `terraform-${randomBytes(4).toString("hex")}` };
    const lifetimeMs = parseDuration(config.lifetime ?? usualLifetime) ?? shortestMs;
    const expire = endOf(api, lifetimeMs);
    const comment = config.comment ?? "made by Terraform for the time of one run";
    const given = { privsep: config.permissions !== null, expire, comment };
    const value = await issueToken({ api, log, signal, id, given, path: "name" });
    Object.assign(privateState, { token: id, lifetimeMs } satisfies OpenToken);
    try {
      for (const { path, role, propagate } of config.permissions ?? []) {
        const key = { path, role, type: "token", subject: tokenText(id) } as const;
        await api.access.acl.set(key, propagate === null ? {} : { propagate }, { signal });
      }
    } catch (reason) {
      await api.access.tokens.remove(id); // what was never opened is not closed
      throw reason;
    }
    const result = { name: id.name, id: tokenText(id), expire: timestamp(expire), value };
    return { result, renewAt: renewalOf(lifetimeMs) };
  },

  async renew({ api, privateState: { token, lifetimeMs }, signal }) {
    if (token === null) return {};
    await api.access.tokens.update(token, { expire: endOf(api, lifetimeMs) }, { signal });
    return { renewAt: renewalOf(lifetimeMs) };
  },

  async close({ api, privateState: { token }, signal }) {
    if (token !== null) await api.access.tokens.remove(token, { signal });
  },
});

const endOf = (api: Session, lifetimeMs: number): number => Math.ceil(api.serverTime() + lifetimeMs / 1000);

/** Half way, so that a run may be slow to come back to it. */
const renewalOf = (lifetimeMs: number): Date => new Date(Date.now() + lifetimeMs / 2);
