import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries, howToGetOne, isAtLeast } from "../../src/cli/terraform-binaries.ts";
import { features } from "../../src/cli/terraform-features.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Outcome } from "../terraform/workspace.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

const vm = (more = "") => `
resource "proxmox_vm" "new" {
  name  = "new-of-identity-test"
  clone = { template = "ubuntu-24.04-cloud" }
  power = "stopped"
  ${more}
}
`;

const withAction = `${vm(`lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.proxmox_vm_snapshot.first]
    }
  }`)}
action "proxmox_vm_snapshot" "first" {
  config {
    vmid = proxmox_vm.new.vmid
    name = "first"
  }
}
`;

/** Some features are newer than the oldest supported Terraform: each is tested with every binary that has it. */
for (const binary of findBinaries()) {
  const has = (feature: keyof typeof features) => isAtLeast(binary, features[feature]);

  describe(`a new VM (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster();
    });
    afterAll(() => cluster.close());

    test("is the target of an action in the apply that creates it, and is imported by its identity", async (context) => {
      cluster.needs(context, { uses: ["template", "bridge"] });
      using terraform = targetWorkspace(binary, plugin, cluster);
      terraform.configure(has("actionsAfter") ? withAction : vm());
      const created = await terraform.apply();
      expect(summary(created)).toEqual({ code: 0, errors: [] });
      const { vmid, node } = (Object.values(await terraform.resources())[0]?.values ?? {}) as {
        vmid: number;
        node: string;
      };
      const lines = created.events.map((event) => event["@message"]);
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`: Creation complete .* \\[id=${vmid}\\]$`)));
      const snapshots = (await cluster.client.snapshots.list({ node, vmid })).map(({ name }) => name);
      expect(snapshots.includes("first")).toBe(has("actionsAfter"));

      using other = targetWorkspace(binary, plugin, cluster);
      const block = `import {\n  to       = proxmox_vm.new\n  identity = { vmid = ${vmid} }\n}\n`;
      other.configure(block + vm());
      const imported = await other.apply();
      expect(imported.code).toBe(has("identityImport") ? 0 : 1);
      if (has("identityImport")) expect(await other.plan()).toMatchObject({ code: 0, changes: {} });
      expect(summary(await terraform.destroy())).toEqual({ code: 0, errors: [] });
    });
  });
}
if (findBinaries().length === 0) test.skip(`identities: skipped. ${howToGetOne}`);

const summary = ({ code, diagnostics }: Outcome) => ({
  code,
  errors: diagnostics.filter(({ severity }) => severity === "error"),
});
