import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

for (const binary of findBinaries()) {
  describe(`proxmox_pool (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("lives its whole life", async () => {
      const pools = () => simulator.sim.world.access.pools;
      const steps = {
        created: { prod: { comment: "What customers see", vms: [], storage: ["ceph"] } },
        updated: { prod: { comment: "For customers", vms: [], storage: ["ceph", "nas"] } },
        unset: { prod: { vms: [], storage: ["ceph", "nas"] } },
      };
      await liveWholeLife({
        types: ["proxmox_pool"],
        update: [
          ["What customers see", "For customers"],
          ['["ceph"]', '["ceph", "nas"]'],
        ],
        unset: [['  comment  = "For customers"\n', ""]],
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look: (step) => expect(pools()).toMatchObject({ ...steps[step], "prod/web": {} }),
      });
      expect(pools()).toEqual({});
    });
  });
}
