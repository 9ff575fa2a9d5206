import { matches, string } from "#kit";

/** A comment in notifications.cfg (proxmox-schema: `COMMENT_SCHEMA`). */
export const comment = {
  type: string({
    check: matches(
      /^(?=\S)(?=.*\S$)\P{Cc}{1,128}$/u,
      "one line of at most 128 characters, without tabs, that is not blank",
    ),
  }),
  mode: "optional",
  wire: "comment",
  doc: "A comment of at most 128 characters.",
} as const;
