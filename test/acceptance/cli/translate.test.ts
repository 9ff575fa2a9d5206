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

const states = [
  ["bpg", "seed.json"],
  ["bpg-least", "bpg-least/seed.json"],
  ["bpg-containers", "bpg-containers/seed.json"],
  ["telmate", "seed.json"],
  ["telmate-containers", "telmate-containers/seed.json"],
] as const;

/** States that the real providers wrote on the simulator, and the cluster as they left it. */
describe.skipIf(binary === undefined)("a configuration and its state", () => {
  let plugin: PluginBinary;
  const simulators = new Map<string, Simulator>();

  beforeAll(async () => {
    plugin = await buildProvider();
    for (const seed of new Set(states.map(([, file]) => file))) {
      const cluster = JSON.parse(readFileSync(join(fixtures, seed), "utf8"));
      simulators.set(seed, await startSimulator({ speed: 100, seed: cluster }));
    }
  });
  afterAll(async () => {
    for (const simulator of simulators.values()) await simulator.close();
  });

  // `bpg-least` gives each resource what it must have: the rest are defaults that bpg's provider writes to the cluster.
  test.each(states)("of %s come over with an empty plan", async (peer, seed) => {
    const simulator = simulators.get(seed) as Simulator;
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
    expect(Object.entries(plan.changes).filter(([, { action }]) => action !== "move")).toEqual([]);
    expect(Object.keys(plan.changes)).not.toEqual([]);
  });
});
