import type { Binary } from "./terraform-binaries.ts";

/** The first versions with a feature; a kind of binary that is not listed does not have it. */
export interface Since extends Partial<Record<Binary["name"], string>> {
  /** Its name in the documentation. */
  readonly title: string;
}

/** From Terraform's changelogs; the tests try each with the available binaries. */
export const features = {
  provider: {
    title: "Resources with write-only attributes, data sources, functions, ephemeral resources, `moved` blocks",
    terraform: "1.11",
    tofu: "1.12",
  },
  identityImport: { title: "`import` blocks with `identity`", terraform: "1.12", tofu: "1.12" },
  query: {
    title: "`terraform query` with `list` blocks, and configuration generated from its results",
    terraform: "1.14",
  },
  actions: { title: "Actions, run with `-invoke` or triggered before a change", terraform: "1.14" },
  actionsAfter: { title: "Actions triggered by `after_create` and `after_update`", terraform: "1.14.1" },
} as const satisfies Record<string, Since>;
