import { int, matches, string } from "#kit";

export const url = {
  type: string({ check: matches(/^https?:\/\/\S+$/, "an address such as `https://netbox.example.com/api`") }),
  mode: "required",
  wire: "url",
  doc: "Address of the API.",
} as const;

export const fingerprint = {
  type: string({
    check: matches(/^([A-F0-9]{2}:){31}[A-F0-9]{2}$/i, "a SHA-256 fingerprint, 32 pairs of digits with colons"),
  }),
  mode: "optional",
  wire: "fingerprint",
  doc: "SHA-256 fingerprint of the certificate, if no known authority has signed it.",
} as const;

const noBlank = string({ check: matches(/^\S+$/, "a text without blanks") });

/** Sent and not stored, with the number that sends it again. */
export const token = {
  token: {
    type: noBlank,
    mode: "required",
    writeOnly: { trigger: "token_version" },
    sensitive: true,
    wire: "token",
    doc: "Token of the API; never stored. It is sent when the IPAM is created and when `token_version` changes.",
  },
  token_version: { type: int(), mode: "optional", local: true, doc: "Any number; another one sends `token` again." },
} as const;

export const key = {
  key: {
    type: noBlank,
    mode: "required",
    writeOnly: { trigger: "key_version" },
    sensitive: true,
    wire: "key",
    doc: "Key of the API; never stored. It is sent when the server is created and when `key_version` changes.",
  },
  key_version: { type: int(), mode: "optional", local: true, doc: "Any number; another one sends `key` again." },
} as const;
