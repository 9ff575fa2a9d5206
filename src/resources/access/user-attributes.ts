import { bool, type ConfigDraft, emailAddress, int, lengthBetween, matches, set, string, userConfigText } from "#kit";
import { expiry, expiryToWire, parseExpiry } from "./expiry.ts";
import { userName } from "./user-name.ts";

export const userAttributes = {
  id: {
    type: userName,
    mode: "required",
    wire: "userid",
    doc: "Name and realm, such as `ann@pve`. The users of `pve` exist in Proxmox VE only; those of other realms, `pam` among them, must exist there to log in. Another name is another user.",
  },
  enabled: {
    type: bool(),
    mode: "optional_computed",
    keep: true,
    wire: "enable",
    absent: true,
    doc: "Whether the user may log in and use tokens. Left out: it stays as it is, which is yes for a new user.",
  },
  expire: {
    type: expiry,
    mode: "optional",
    wire: "expire",
    as: { parse: (raw: unknown) => parseExpiry(Number(raw)), print: (moment: unknown) => expiryToWire(String(moment)) },
    // Nothing but 0 means never.
    custom: { patch: (draft: ConfigDraft, moment: unknown) => moment ?? draft.set("expire", 0) },
    doc: "When the account ends, in RFC 3339 form: `2030-12-31T23:59:59Z`. Left out: never.",
  },
  comment: { type: userConfigText(2048), mode: "optional", wire: "comment", doc: "A note. Left out: none." },
  email: {
    type: string({
      check: [emailAddress, lengthBetween(3, 254)],
    }),
    mode: "optional",
    wire: "email",
    doc: "E-mail address, also for notifications. Left out: none.",
  },
  first_name: { type: userConfigText(1024), mode: "optional", wire: "firstname", doc: "First name. Left out: none." },
  last_name: { type: userConfigText(1024), mode: "optional", wire: "lastname", doc: "Last name. Left out: none." },
  groups: {
    type: set(string({ check: matches(/^[A-Za-z0-9._-]+$/, "the name of a group") })),
    mode: "optional_computed",
    keep: true,
    wire: "groups",
    absent: [],
    refers: "group",
    doc: "Groups the user is in: these and no others. They must exist. Left out: the user stays in those it is in, and `[]` takes it out of all.",
  },
  password: {
    type: string({ check: lengthBetween(8, 64) }),
    mode: "optional",
    writeOnly: { trigger: "password_version" },
    sensitive: true,
    wire: "password",
    doc: 'Password of a user of the `pve` realm, 8 to 64 characters; never stored. It is sent when the user is created, and when `password_version` changes: Proxmox VE lets only those change a password who have logged in with one, so not API tokens; `username = "root@pam"` and `password` of the provider can stand beside a token for that. Left out: none is set, and the user can only use tokens.',
  },
  password_version: {
    type: int(),
    mode: "optional",
    local: true,
    doc: "Any number; another one sends `password` again.",
  },
} as const;

export type UserAttributes = typeof userAttributes;
