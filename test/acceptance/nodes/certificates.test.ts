import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { makeServerIdentity } from "../../../src/simulator/core/http/certificate.ts";
import { sourceAddress } from "../../../src/source-address.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { Workspace } from "../../terraform/workspace.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

/** What only `root@pam` may do, what needs Ceph, and what restarts the web server under the provider. */
const types = [
  "proxmox_acme_account",
  "proxmox_acme_certificate",
  "proxmox_apt_repository",
  "proxmox_ceph_pool",
  "proxmox_node_certificate",
];

for (const binary of findBinaries()) {
  describe(`certificates, repositories and Ceph (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), ceph: {} } });
    });
    afterAll(() => simulator.close());

    test("are managed by root@pam with a password", async () => {
      const pair = makeServerIdentity(["pve2.example.com"]);
      const { nodes, acme, ceph } = simulator.sim.world;
      await liveWholeLife({
        types,
        update: [
          ['"pve1.example.com" = {}', '"pve1.example.com" = {}\n    "www.example.com"  = {}'],
          ['contact = ["ops@example.com"]', 'contact = ["other@example.com"]'],
          ['target_size       = "2T"', 'target_size       = "3T"'],
        ],
        unset: [['  target_size       = "3T"\n', ""]],
        local: ["private_key_version", "revoke_on_destroy"],
        workspace() {
          const workspace = workspaceOf();
          workspace.write("pve2.pem", firstOf(pair.cert));
          workspace.write("pve2.key", pair.key);
          return workspace;
        },
        look(step) {
          expect(nodes["pve1"]?.certificate).toBeDefined();
          expect(nodes["pve2"]?.certificate?.key).toBe(pair.key);
          expect(ceph?.pools["vms"]?.target_size ?? 0).toBe({ created: 2, updated: 3, unset: 0 }[step] * 2 ** 40);
        },
      });
      expect([nodes["pve1"]?.certificate, nodes["pve2"]?.certificate, acme.accounts, ceph?.pools]).toEqual([
        undefined,
        undefined,
        {},
        {},
      ]);
    });

    const firstOf = (pem: string): string => `${pem.split("-----END CERTIFICATE-----")[0]}-----END CERTIFICATE-----\n`;

    function workspaceOf(): Workspace {
      const workspace = new Workspace(binary, plugin, sourceAddress);
      workspace.keepsProvider = true;
      const provider = `proxmox = { source = "${sourceAddress}" }`;
      workspace.write("terraform.tf", `terraform {\n  required_providers {\n    ${provider}\n  }\n}\n`);
      Object.assign(workspace.env, {
        PROXMOX_VE_ENDPOINT: simulator.url,
        PROXMOX_VE_USERNAME: "root@pam",
        PROXMOX_VE_PASSWORD: "proxmox",
        PROXMOX_VE_CA_CERTIFICATE: workspace.write("ca.pem", simulator.caCertificate),
      });
      return workspace;
    }
  });
}
