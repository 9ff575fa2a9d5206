import { bool, int, lengthBetween, matches, nested, string } from "#kit";
import { userName } from "../user-name.ts";

const otherKind = { when: "if it takes the place of the other kind" } as const;

const line = matches(/^[^\n]*$/, "one line");

export const tfaAttributes = {
  id: { type: string(), mode: "computed", keep: true, doc: "ID of the entry; `recovery` for recovery keys." },
  user: {
    type: userName,
    mode: "required",
    replace: true,
    doc: "Whose second factor it is, such as `ann@pve`. Another user, another entry.",
  },
  totp: {
    type: nested({
      description: {
        type: string({ check: [lengthBetween(1, 255), line] }),
        mode: "required",
        doc: "A text by which the user recognises the entry.",
      },
      secret: {
        type: string({
          check: matches(/^(otpauth:\/\/totp\/\S+|[A-Za-z2-7\s=-]{16,})$/, "base32, or an `otpauth://totp/` address"),
        }),
        mode: "optional",
        writeOnly: true,
        sensitive: true,
        doc: "The secret that the authenticator app has, in base32, or as an `otpauth://` address. It is sent when the entry is added, with the current code, and never stored. Left out: only for an entry that exists.",
      },
      secret_version: {
        type: int(),
        mode: "optional",
        local: true,
        replace: { when: "if the entry stays one of `totp`" },
        doc: "Any number; another one removes the entry and adds it anew with `secret`.",
      },
      enabled: { type: bool(), mode: "optional", doc: "Whether codes of it are accepted. Left out: they are." },
    }),
    mode: "optional",
    replace: otherKind,
    doc: "Codes of an authenticator app (TOTP).",
  },
  recovery: {
    type: nested({
      keys_file: {
        type: string({ check: lengthBetween(1, 4096) }),
        mode: "optional",
        local: true,
        doc: "File on the machine that runs Terraform to which the ten keys are written, readable by that user alone; it must not exist. Proxmox VE shows the keys once, and the state does not hold them. Left out: only for keys that exist.",
      },
    }),
    mode: "optional",
    replace: otherKind,
    doc: "Ten keys, each for one login. Recovery keys cannot be changed.",
  },
  created: { type: string(), mode: "computed", keep: true, doc: "When it was added, in RFC 3339 form." },
} as const;

export type TfaAttributes = typeof tfaAttributes;
