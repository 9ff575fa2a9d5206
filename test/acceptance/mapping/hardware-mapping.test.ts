import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

for (const binary of findBinaries()) {
  describe(`proxmox_hardware_mapping (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("passes its whole lifecycle, with a VM that uses it from the first apply", async () => {
      const mappings = () => simulator.sim.world.mappings;
      const steps = {
        created: { description: "One port for each VM", map: { length: 3 } },
        updated: { description: "Two ports", "live-migration-capable": "1", map: { length: 3 } },
        unset: { description: "Two ports", map: { length: 3 } },
      };
      await liveWholeLife({
        types: ["proxmox_hardware_mapping"],
        update: [
          ["One port for each VM", "Two ports"],
          ["  pci = {\n", "  pci = {\n    live_migration_capable = true\n"],
          ['pve2 = { path = "/srv/share" }', 'pve3 = { path = "/srv/share" }'],
        ],
        unset: [["    live_migration_capable = true\n", ""]],
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look(step) {
          expect(mappings().pci["fast-nic"]?.options).toMatchObject(steps[step]);
          const nodes = step === "created" ? "pve1 pve2" : "pve1 pve3";
          const lines = [mappings().dir["share"]?.options["map"] ?? []].flat();
          expect(lines).toEqual(nodes.split(" ").map((node) => `node=${node},path=/srv/share`));
        },
      });
      expect(mappings()).toEqual({ pci: {}, usb: {}, dir: {} });
    });
  });
}
