import { features, type Since } from "../../../src/cli/terraform-features.ts";

/** The note on a page of that kind about the required binary. */
export function requirementNote(folder: string): string[] {
  const { provider, identityImport, query, actions, actionsAfter } = features;
  switch (folder) {
    case "list-resources":
      return [
        `-> Requires Terraform ${query.terraform} or newer, for \`terraform query\`. OpenTofu has no such command.`,
      ];
    case "actions":
      return [
        `-> Requires Terraform ${actions.terraform} or newer; the triggers \`after_create\` and \`after_update\` require ${actionsAfter.terraform}. OpenTofu has no actions.`,
      ];
    case "resources":
      return [
        `-> Requires Terraform ${provider.terraform} or OpenTofu ${provider.tofu}; an \`import\` block with \`identity\` requires Terraform ${identityImport.terraform}.`,
      ];
    default:
      return [`-> Requires Terraform ${provider.terraform} or OpenTofu ${provider.tofu}.`];
  }
}

/** Every feature with the first versions that have it. */
export function requirementTable(): string {
  const rows = Object.values(features).map(
    ({ title, terraform, tofu }: Since) => `| ${title} | ${terraform ?? "no"} | ${tofu ?? "no"} |`,
  );
  return ["| what | Terraform | OpenTofu |", "|---|---|---|", ...rows].join("\n");
}
