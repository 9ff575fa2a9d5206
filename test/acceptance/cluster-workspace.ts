import { join } from "node:path";
import type { Simulator } from "#simulator";
import type { Binary } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import { buildPluginBinary, type PluginBinary } from "../terraform/plugin-binary.ts";
import { Workspace } from "../terraform/workspace.ts";

/** The provider as released, except for the licences. */
export const buildProvider = (): Promise<PluginBinary> =>
  buildPluginBinary("proxmox", join(import.meta.dirname, "../../src/main.ts"), async () => {
    // Loads every definition, so it is imported only if the bundle has to be made.
    const { parserOfHcl, preparedAnswers } = await import("../../scripts/provider-bundle.ts");
    return [...(await preparedAnswers()), ...parserOfHcl];
  });

/** A workspace whose provider is configured for that cluster. */
export function clusterWorkspace(
  binary: Binary,
  plugin: PluginBinary,
  { url, tokens, caCertificate }: Simulator,
): Workspace {
  const workspace = new Workspace(binary, plugin, sourceAddress);
  workspace.keepsProvider = true;
  workspace.write("ca.pem", caCertificate);
  workspace.write(
    "provider.tf",
    `terraform {
  required_providers {
    proxmox = { source = "${sourceAddress}" }
  }
}
provider "proxmox" {
  endpoint       = "${url}"
  api_token      = "${tokens["root@pam!admin"]}"
  ca_certificate = file("ca.pem")
}
`,
  );
  return workspace;
}
