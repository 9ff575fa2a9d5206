import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { liveWholeLife } from "./resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

for (const binary of findBinaries()) {
  describe(`"proxmox_container" (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("passes its whole lifecycle: image, template, clones, update in place, undo, import, destroy", async (context) => {
      cluster.needs(context, { uses: ["storage", "bridge", "container_template"], memoryGiB: 5, spaceGiB: 50 });
      await liveWholeLife({
        types: ["proxmox_container"],
        update: [
          ['memory   = { size = "1G", swap = "256M" }', 'memory   = { size = "2G", swap = "256M" }'],
          ['size = "20G"', 'size = "30G"'],
        ],
        unset: [['  tags     = ["web"]\n', ""]],
        local: ["image", "clone", "ssh_keys", "wait_for_address"],
        importId: cluster.importId,
        workspace: () => targetWorkspace(binary, plugin, cluster),
        async look(step) {
          const web = await named("web");
          expect(web).toMatchObject({ status: "running", options: { memory: step === "created" ? "1024" : "2048" } });
          expect(web?.options["mp0"]).toContain(step === "created" ? "size=20G" : "size=30G");
          expect(await named("golden")).toMatchObject({ isTemplate: true });
          expect((await named("worker-1"))?.options["memory"]).toBe("2048");
        },
      });
      for (const name of ["web", "golden", "worker-0", "worker-1"]) expect(await named(name), name).toBeUndefined();
    });

    /** A container as the server has it. */
    async function named(name: string) {
      cluster.client.inventory.forget();
      const [guest] = await cluster.client.inventory.findByName("lxc", cluster.named(name));
      return guest && { ...guest, ...(await cluster.client.lxc.getConfig(guest)) };
    }
  });
}
