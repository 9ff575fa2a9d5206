import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

for (const binary of findBinaries()) {
  describe(`disks and snapshots (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("are made from their examples, changed, imported and destroyed, all in one configuration", async () => {
      const types = [
        "proxmox_disk",
        "proxmox_node_directory",
        "proxmox_node_lvm",
        "proxmox_node_lvmthin",
        "proxmox_node_zfs_pool",
        "proxmox_snapshot",
      ];
      await liveWholeLife({
        types,
        update: [["Before the upgrade to version 2", "Version 1"]],
        unset: [['  description = "Version 1"\n', ""]],
        local: ["destroy_data", "device", "devices", "filesystem", "memory", "raid_level"],
        // A disk is destroyed only if that was applied before.
        adapt: (hcl) => hcl.replace('size    = "100G"\n', 'size    = "100G"\n  destroy_data = true\n'),
        workspace: () => clusterWorkspace(binary, plugin, simulator),
        look: () => {},
      });
      const pools = Object.values(simulator.sim.world.nodes).flatMap(({ diskPools = [] }) => diskPools);
      expect(pools.map(({ name }) => name).sort(), "data stays").toEqual(["backup", "fast", "tank", "thin"]);
    });
  });
}
