import { commands } from "./commands.ts";

const width = 12;

/** What `--help` prints. */
export function helpText(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}${summary}`);
  return [
    "terraform-provider-proxmox: a Terraform and OpenTofu provider for Proxmox VE 9.",
    "",
    "Terraform starts this program automatically; see https://developer.hashicorp.com/terraform/language/providers.",
    "Commands:",
    "",
    ...lines,
    "",
    `  ${"--debug".padEnd(width)}Serve until stopped, and print what to put into TF_REATTACH_PROVIDERS.`,
    `  ${"--version".padEnd(width)}Print the version.`,
    `  ${"--licenses".padEnd(width)}Print the licences of everything in this program.`,
    `  ${"--help".padEnd(width)}Print this.`,
    "",
  ].join("\n");
}
