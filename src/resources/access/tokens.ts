import { bool, defineCollection, shown, string } from "#kit";
import { parseExpiry } from "./expiry.ts";
import { tokenText } from "./issue-token.ts";

type Listed = Readonly<Record<string, unknown>>;

/** `proxmox_tokens`. Server side: pve-access-control `src/PVE/API2/User.pm`, `index`. */
export const tokensData = defineCollection({
  type: "proxmox_tokens",
  subcategory: "Access",
  doc: "API tokens of the users that the caller may see, without their secrets, which Proxmox VE shows only once.",
  path: "/access/users",
  fixed: { full: true },
  items: "tokens",
  key: "id",
  filters: {
    id: "Only tokens of this ID, such as `*!ci`",
    user: "Only tokens of this user",
  },
  attributes: {
    id: shown(string(), "id", "User and name, such as `ann@pve!ci`: what `proxmox_token` is imported by."),
    user: shown(string(), "userid", "Whose token it is."),
    name: shown(string(), "tokenid", "Name of the token."),
    privilege_separation: {
      ...shown(bool(), "privsep", "Whether the token has only what is granted to it alone."),
      absent: true,
    },
    expire: {
      ...shown(string(), "expire", "When the token ends, in RFC 3339 form; null: never, or with its user."),
      as: { parse: (raw: unknown) => parseExpiry(Number(raw)) },
    },
    comment: shown(string(), "comment", "A note."),
  },
  rows: ({ answer }) =>
    answer.flatMap(({ userid, tokens }) =>
      ((tokens ?? []) as readonly Listed[]).map((token) => ({
        ...token,
        userid,
        id: tokenText({ user: String(userid), name: String(token["tokenid"]) }),
      })),
    ),
});
