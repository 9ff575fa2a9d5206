import { bool } from "#framework";
import type { ConfigDraft } from "../wire/config-draft.ts";

/** What each object of a staged configuration has. `noun` names the configuration: `the SDN`. */
export const stagedAttributes = (noun: string, action: string) =>
  ({
    apply: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: `Whether a change takes effect in the same run: one commit for all changes of the run to ${noun}. With \`false\` it is only staged, until the action \`${action}\`, Apply in the web interface or another commit takes it along. Left out: \`true\`.`,
    },
    commit_foreign: {
      type: bool(),
      mode: "optional",
      local: true,
      doc: "Whether the commit may take along changes that other clients have staged. Left out: `false`, and an apply that meets such changes stops before it writes anything.",
    },
    applied: {
      type: bool(),
      mode: "computed",
      keep: true,
      volatile: true,
      instead: "Set `apply`.",
      custom: { parse: (draft: ConfigDraft) => draft.raw("state") === null },
      doc: "Whether the object is in effect as it is configured. After an interrupted run it is `false`, and the next apply commits it.",
    },
  }) as const;
