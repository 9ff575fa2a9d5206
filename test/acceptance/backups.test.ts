import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { applied, errorsIn } from "./resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

const source = `
resource "proxmox_vm" "kept" {
  name        = "kept"
  description = "of the backup"
  power       = "stopped"
  clone       = { template = "ubuntu-24.04-cloud" }
}
`;

const restored = (archive: string) => `
resource "proxmox_vm" "restored" {
  name    = "restored"
  node    = "pve1"
  power   = "stopped"
  restore = { archive = "${archive}", unique = true }
}
`;

for (const binary of findBinaries()) {
  describe(`a backup (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("becomes a second VM with the settings of the first", async (context) => {
      cluster.needs(context, { uses: ["template", "bridge", "backups"], spaceGiB: 100 });
      using terraform = targetWorkspace(binary, plugin, cluster);
      await applied(terraform, source);
      const { vmid, node } = (await terraform.resources())["proxmox_vm.kept"]?.values ?? {};
      const archive = await backUp(Number(vmid), String(node));
      try {
        await applied(terraform, source + restored(archive));
        const copy = (await terraform.resources())["proxmox_vm.restored"]?.values;
        expect(copy).toMatchObject({ name: cluster.named("restored"), description: "of the backup" });
      } finally {
        const upid = await cluster.client.storage.removeVolume(String(node), archive.split(":")[0] ?? "", archive);
        if (upid !== null) await cluster.client.watch.wait(upid);
      }
      expect(errorsIn(await terraform.destroy())).toEqual([]);
    });

    /** Backs the VM up without the provider; the notes say whose backup it is. */
    async function backUp(vmid: number, node: string): Promise<string> {
      const { client, found, named } = cluster;
      const { backups = "" } = found;
      const request = { vmid: String(vmid), storage: backups, mode: "stop", "notes-template": named("backup") };
      const upid = await client.backup.start(node, request);
      if (upid !== null) await client.watch.wait(upid);
      const [made] = await client.storage.listVolumes(node, backups, { content: "backup", vmid });
      return made?.volid ?? expect.fail("there is no backup");
    }
  });
}
