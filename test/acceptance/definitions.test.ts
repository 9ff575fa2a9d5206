import { afterAll, beforeAll, describe, test } from "vitest";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import { objects, settings } from "../../src/registry.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { liveWholeLife } from "./resource-life.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

/** Definitions with tests of their own, since they need other objects or code besides the definition. */
const tested = [
  "acme_account",
  "ceph_pool",
  "ha_resource",
  "ha_rule",
  "hardware_mapping",
  "pool",
  "replication",
  "role",
  "user",
].map((name) => `proxmox_${name}`);

/** Written by hand, and as simple to try. */
const alike = [
  "proxmox_firewall_alias",
  "proxmox_firewall_ipset",
  "proxmox_firewall_options",
  "proxmox_firewall_policy",
  "proxmox_firewall_rules",
  "proxmox_firewall_security_group",
];

const types = [...Object.keys({ ...objects, ...settings }), ...alike];

for (const binary of findBinaries()) {
  describe(`objects of the configuration (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    test("are created from their examples, planned again, imported and destroyed, all in one configuration", async () => {
      await liveWholeLife({
        types: types.filter((type) => !tested.includes(type)),
        update: [],
        unset: [],
        local: ["data", "encryption_key", "keyring", "master_public_key", "password", "secrets", "token"].map(
          (secret) => `${secret}_version`,
        ),
        workspace: () => targetWorkspace(binary, plugin, cluster),
        look: () => {},
      });
    });
  });
}
