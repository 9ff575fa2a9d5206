import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { isHostGiven } from "../needs-simulator.ts";
import { liveWholeLife } from "../resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "../target-cluster.ts";

for (const binary of findBinaries()) {
  describe(`files and container templates (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("are uploaded, with a VM that uses one from the first apply", async (context) => {
      cluster.needs(context, { uses: ["files"] });
      await liveWholeLife({
        types: ["proxmox_file"],
        update: [["keyboard = de", "keyboard = de-latin1"]],
        unset: [],
        local: ["source", "text", "overwrite", "sha256"],
        importId: cluster.importId,
        workspace,
        async look(step) {
          expect(await sizeOf("rescue.iso")).toBe(33);
          expect(await sizeOf("answers.img")).toBe(step === "created" ? 14 : 21);
        },
      });
      expect([await sizeOf("rescue.iso"), await sizeOf("answers.img")]).toEqual([undefined, undefined]);
    });

    test.skipIf(isHostGiven)("are downloaded, with VMs that use them from the first apply", async () => {
      const { world } = cluster.simulator?.sim ?? expect.fail();
      const before = structuredClone(world.volumes);
      const vms = () => Object.values(world.guests).filter(({ vmid }) => vmid < 9000);
      await liveWholeLife({
        types: ["proxmox_download", "proxmox_container_template", "proxmox_oci_image"],
        update: [["https://cloud.example.com/images", "https://mirror.example.com/images"]],
        unset: [['  checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"\n', ""]],
        local: ["overwrite", "reference", "sha256", "url", "checksum", "compression", "verify_certificates"],
        workspace,
        async look() {
          expect(await sizeOf("debian-13-standard_13.1-2_amd64.tar.zst")).toBeGreaterThan(0);
          expect(await sizeOf("nginx_1.29.tar")).toBeGreaterThan(0);
          expect(await sizeOf("debian-13-genericcloud-amd64.qcow2")).toBeGreaterThan(0);
          expect(vms().map(({ config }) => config["scsi0"])).toEqual([expect.stringContaining("size=20G")]);
        },
      });
      expect(world.volumes).toEqual(before);
    });

    function workspace() {
      const made = targetWorkspace(binary, plugin, cluster);
      made.write("rescue.iso", "This stands for a rescue system.\n");
      return made;
    }

    /** Of a file on any storage of the node. */
    async function sizeOf(name: string): Promise<number | undefined> {
      const { node = "" } = cluster.found;
      const storages = (await cluster.client.storage.listOnNode(node)).map(({ storage }) => storage);
      const listed = await Promise.all(storages.map((storage) => cluster.client.storage.listVolumes(node, storage)));
      return listed.flat().find(({ volid }) => volid.endsWith(`/${cluster.named(name)}`))?.size;
    }
  });
}
