import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { isHostGiven } from "../needs-simulator.ts";
import { liveWholeLife } from "../resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "../target-cluster.ts";

for (const binary of findBinaries()) {
  describe(`disks and snapshots (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    // A disk is destroyed only if that was applied before.
    const adapt = (hcl: string) => hcl.replace('size    = "100G"\n', 'size    = "100G"\n  destroy_data = true\n');
    const local = ["destroy_data", "device", "devices", "filesystem", "memory", "raid_level"];

    test("are made from their examples, changed, imported and destroyed, all in one configuration", async (context) => {
      cluster.needs(context, { uses: ["storage", "bridge", "template"], memoryGiB: 4, spaceGiB: 100 });
      await liveWholeLife({
        types: ["proxmox_disk", "proxmox_snapshot"],
        update: [["Before the upgrade to version 2", "Version 1"]],
        unset: [['  description = "Version 1"\n', ""]],
        local,
        adapt,
        importId: cluster.importId,
        workspace: () => targetWorkspace(binary, plugin, cluster),
        look: () => {},
      });
    });

    test.skipIf(isHostGiven)("of nodes are formatted by their examples, and keep their data", async () => {
      const types = ["proxmox_node_directory", "proxmox_node_lvm", "proxmox_node_lvmthin", "proxmox_node_zfs_pool"];
      const workspace = () => targetWorkspace(binary, plugin, cluster);
      await liveWholeLife({ types, update: [], unset: [], local, workspace, look: () => {} });
      const { nodes = {} } = cluster.simulator?.sim.world ?? {};
      const pools = Object.values(nodes).flatMap(({ diskPools = [] }) => diskPools);
      expect(pools.map(({ name }) => name).sort(), "data stays").toEqual(["backup", "fast", "tank", "thin"]);
    });
  });
}
