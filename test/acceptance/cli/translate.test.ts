import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { run } from "../../../src/cli/translate/translate.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

const [binary] = findBinaries();
const fixtures = join(import.meta.dirname, "../fixtures/translate");

/** Terraform starts the provider that wrote a state for its schema only: any provider suffices. */
const overrides = (folder: string): string => {
  const addresses = [sourceAddress, "registry.terraform.io/bpg/proxmox", "registry.terraform.io/telmate/proxmox"];
  const lines = addresses.map((address) => `    "${address}" = "${folder}"`);
  return ["provider_installation {", "  dev_overrides {", ...lines, "  }", "  direct {}", "}", ""].join("\n");
};

/** States that the real providers wrote on the simulator, and the cluster as they left it. */
describe.skipIf(binary === undefined)("a configuration and its state", () => {
  let plugin: PluginBinary;
  let simulator: Simulator;

  beforeAll(async () => {
    plugin = await buildProvider();
    const seed = JSON.parse(readFileSync(join(fixtures, "seed.json"), "utf8"));
    simulator = await startSimulator({ speed: 100, seed });
  });
  afterAll(() => simulator.close());

  test.each(["bpg", "telmate"])("of %s come over with an empty plan", async (peer) => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.write("cli.tfrc", overrides(plugin.folder));
    const quiet = { write: () => true };
    const out = join(terraform.folder, "new");
    expect(await run([join(fixtures, peer), "--out", out], { stdout: quiet, stderr: quiet, env: {} })).toBe(0);
    // The workspace has a provider block of its own.
    const body = readFileSync(join(out, "main.tf"), "utf8").replace(/^[\s\S]*?(?=^resource )/m, "");
    copyFileSync(join(fixtures, peer, "terraform.tfstate"), join(terraform.folder, "terraform.tfstate"));
    terraform.configure(body);
    const plan = await terraform.plan();
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const actions = new Set(Object.values(plan.changes).map(({ action }) => action));
    expect([...actions]).toEqual(["move"]);
  });
});
