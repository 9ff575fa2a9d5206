import { features, type Since } from "../../../src/cli/terraform-features.ts";

/** What a page of that kind says about the binary it needs; nothing where every one that works will do. */
export function requirementNote(folder: string): string[] {
  const { query, actions, actionsAfter } = features;
  switch (folder) {
    case "list-resources":
      return [`-> Needs Terraform ${query.terraform} or newer, for \`terraform query\`. OpenTofu has no such command.`];
    case "actions":
      return [
        `-> Needs Terraform ${actions.terraform} or newer; the triggers \`after_create\` and \`after_update\` need ${actionsAfter.terraform}. OpenTofu has no actions.`,
      ];
    default:
      return [];
  }
}

/** Every feature with the first versions that have it. */
export function requirementTable(): string {
  const rows = Object.values(features).map(
    ({ title, terraform, tofu }: Since) => `| ${title} | ${terraform ?? "no"} | ${tofu ?? "no"} |`,
  );
  return ["| what | Terraform | OpenTofu |", "|---|---|---|", ...rows].join("\n");
}
