import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

for (const binary of findBinaries()) {
  describe(`proxmox_ha_resource and proxmox_ha_rule (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("pass their whole lifecycle", async () => {
      const { ha } = simulator.sim.world;
      const steps = {
        created: { shop: { max_restart: "2", comment: "The shop" }, strict: "1" },
        updated: { shop: { max_restart: "3", comment: "The shop" }, strict: "0" },
        unset: { shop: { comment: "The shop" }, strict: "0" },
      };
      await liveWholeLife({
        types: ["proxmox_ha_resource", "proxmox_ha_rule"],
        update: [
          ["max_restart = 2", "max_restart = 3"],
          ["strict    = true", "strict    = false"],
          ['affinity  = "negative"', 'affinity  = "negative"\n  enabled   = false'],
        ],
        unset: [["  max_restart = 3\n", ""]],
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look(step) {
          expect(ha.resources["vm:101"]?.options).toEqual({ ...steps[step].shop, state: "stopped" });
          expect(ha.rules["databases-place"]?.options).toMatchObject({
            nodes: "pve1:1,pve2:1",
            strict: steps[step].strict,
          });
          expect(ha.rules["databases-apart"]?.options["disable"]).toBe(step === "created" ? undefined : "1");
        },
      });
      expect({ resources: ha.resources, rules: ha.rules }).toEqual({ resources: {}, rules: {} });
    });
  });
}
