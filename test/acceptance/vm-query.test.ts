import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne, isAtLeast } from "../../src/cli/terraform-binaries.ts";
import { features } from "../../src/cli/terraform-features.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

const guests = [
  { vmid: 201, running: true, config: { name: "web-1" } },
  { vmid: 202, config: { name: "web-2" } },
  { vmid: 203, config: { name: "cache-1" } },
];

const example = (path: string) => readFileSync(join(import.meta.dirname, "../../examples", path), "utf8");

/** Some features are newer than the oldest supported Terraform: each is tested with every binary that has it. */
for (const binary of findBinaries()) {
  const has = (feature: keyof typeof features) => isAtLeast(binary, features[feature]);

  describe(`existing VMs (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      const seed = defaultSeed(["pve"]) as { guests: object[] };
      simulator = await startSimulator({ speed: 100, seed: { ...seed, guests: [...seed.guests, ...guests] } });
    });
    beforeEach(() => simulator.reset());
    afterAll(() => simulator.close());

    const workspace = () => clusterWorkspace(binary, plugin, simulator);

    test.runIf(has("query"))("are found by a query, and imported by the configuration that it generates", async () => {
      using terraform = workspace();
      terraform.write("vms.tfquery.hcl", example("list-resources/proxmox_vm/list-resource.tfquery.hcl"));
      const { code, stdout } = await terraform.run(["query", "-no-color", "-generate-config-out=found.tf"]);
      expect(code).toBe(0);
      expect(stdout).toContain("web-1 (201 on pve)");
      expect(stdout).toContain("web-2 (202 on pve)");
      expect(stdout).not.toContain("cache-1");
      const applied = await terraform.apply();
      expect({ code: applied.code, said: applied.diagnostics }).toEqual({ code: 0, said: [] });
      expect(Object.values(await terraform.resources()).map(({ values }) => values["vmid"])).toEqual([201, 202]);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    });

    test.runIf(has("actions"))("are started by an action", async () => {
      using terraform = workspace();
      terraform.configure('action "proxmox_vm_start" "db" {\n  config {\n    vmid = 203\n  }\n}\n');
      const { code, stdout } = await terraform.run([
        "apply",
        "-auto-approve",
        "-no-color",
        "-invoke=action.proxmox_vm_start.db",
      ]);
      expect(code).toBe(0);
      expect(stdout).toContain("VM 203: running");
      expect(simulator.sim.world.guests[203]?.run).toBeDefined();
    });

    test.runIf(has("actions"))("get a snapshot before each change, with the example of the documentation", async () => {
      using terraform = workspace();
      const hcl = example("actions/proxmox_vm_snapshot/action.tf");
      for (const cores of [1, 2, 3]) {
        terraform.configure(hcl.replace("lifecycle {", `cpu = { cores = ${cores} }\n\n  lifecycle {`));
        const applied = await terraform.apply();
        const errors = applied.diagnostics.filter(({ severity }) => severity === "error");
        expect({ code: applied.code, errors }).toEqual({ code: 0, errors: [] });
        await sleep(1_000); // the snapshot is named by the second
      }
      expect(Object.keys(simulator.sim.world.guests[101]?.snapshots ?? {})).toHaveLength(2);
    });
  });
}
if (findBinaries().length === 0) test.skip(`queries and actions: skipped. ${howToGetOne}`);
