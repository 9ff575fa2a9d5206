import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "../target-cluster.ts";

for (const binary of findBinaries()) {
  describe(`proxmox_pool (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("passes its whole lifecycle", async (context) => {
      cluster.needs(context, { uses: ["storage", "files"] });
      const { storage, files } = cluster.simulator ? { storage: "ceph", files: "nas" } : cluster.found;
      const before = await cluster.client.pools.list();
      await liveWholeLife({
        types: ["proxmox_pool", "proxmox_pool_member"],
        update: [
          ["What customers see", "For customers"],
          ['["ceph"]', '["ceph", "nas"]'],
        ],
        unset: [['  comment  = "For customers"\n', ""]],
        importId: cluster.importId,
        workspace: () => targetWorkspace(binary, plugin, cluster),
        async look(step) {
          const { comment, members } = await cluster.client.pools.get(cluster.pool("prod"));
          const comments = { created: "What customers see", updated: "For customers", unset: undefined };
          expect(comment).toBe(comments[step]);
          expect(new Set(members.map(({ storage }) => storage))).toEqual(
            new Set(step === "created" ? [storage] : [storage, files]),
          );
          expect((await cluster.client.pools.get(cluster.pool("prod/web"))).members).toEqual([]);
          const shared = await cluster.client.pools.get(cluster.pool("shared"));
          expect(new Set(shared.members.map(({ storage }) => storage))).toEqual(
            new Set([cluster.simulator ? "local" : files]),
          );
        },
      });
      expect(await cluster.client.pools.list()).toEqual(before);
    });
  });
}
