import type { Simulator } from "#simulator";
import type { Binary } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Outcome, Workspace } from "../terraform/workspace.ts";
import { clusterWorkspace } from "./cluster-workspace.ts";

/** All guests, to compare. */
export const onServer = ({ sim }: Simulator): string => JSON.stringify(sim.world.guests);

export const errorsIn = ({ diagnostics }: Outcome) => diagnostics.filter(({ severity }) => severity === "error");

export const moved = (from: string, to: string) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;

/**
 * Before a move, Terraform starts the provider that wrote the state for its schema. Users have it installed; here any
 * provider suffices.
 */
function overrides(folder: string): string {
  const others = ["terraform.io", "opentofu.org"].flatMap((host) =>
    ["bpg", "telmate"].map((namespace) => `registry.${host}/${namespace}/proxmox`),
  );
  const lines = [sourceAddress, ...others].map((address) => `    "${address}" = "${folder}"`);
  return ["provider_installation {", "  dev_overrides {", ...lines, "  }", "  direct {}", "}", ""].join("\n");
}

/** A workspace that knows the other providers, too. */
export function workspaceWith(binary: Binary, plugin: PluginBinary, cluster: Simulator): Workspace {
  const workspace = clusterWorkspace(binary, plugin, cluster);
  workspace.write("cli.tfrc", overrides(plugin.folder));
  return workspace;
}
