import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { applied, errorsIn } from "./resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

const withRules = (rules: string, description: string) => `
resource "proxmox_vm" "filtered" {
  name        = "filtered"
  description = "${description}"
  power       = "stopped"
  clone       = { template = "ubuntu-24.04-cloud" }
  networks    = { net0 = { firewall = true } }
  cloud_init  = { user = "ops", dns_servers = ["192.0.2.53"] }
}
resource "proxmox_firewall_options" "filtered" {
  guest = { vmid = proxmox_vm.filtered.vmid, enabled = true, policy_in = "DROP" }
}
resource "proxmox_firewall_ipset" "admins" {
  vmid    = proxmox_vm.filtered.vmid
  name    = "admins"
  entries = { "192.0.2.0/24" = {} }
}
resource "proxmox_firewall_rules" "filtered" {
  vmid  = proxmox_vm.filtered.vmid
  rules = [${rules}]

  depends_on = [proxmox_firewall_ipset.admins]
}
`;

const ssh = '{ type = "in", action = "ACCEPT", macro = "SSH", source = "+guest/admins" }';
const ping = '{ type = "in", action = "ACCEPT", macro = "Ping" }';

for (const binary of findBinaries()) {
  describe(`the firewall of a guest (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("has a set, options and rules, which are changed in order and go with the guest", async (context) => {
      cluster.needs(context, { uses: ["template", "bridge"] });
      using terraform = targetWorkspace(binary, plugin, cluster);
      await applied(terraform, withRules(ssh, "first"));
      await applied(terraform, withRules(`${ping}, ${ssh}`, "second"));
      const { vmid, node } = (await terraform.resources())["proxmox_vm.filtered"]?.values ?? {};
      const rules = await cluster.client.collect("/nodes/{node}/qemu/{vmid}/firewall/rules", { node, vmid } as never);
      expect(rules).toMatchObject([{ macro: "Ping" }, { macro: "SSH", source: "+guest/admins" }]);
      expect(errorsIn(await terraform.destroy())).toEqual([]);
      cluster.client.inventory.forget();
      expect(await cluster.client.inventory.find("qemu", Number(vmid))).toBeNull();
    });
  });
}
