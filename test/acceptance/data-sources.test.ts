import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Simulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../src/cli/terraform-binaries.ts";
import { registry } from "../../src/registry.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Workspace } from "../terraform/workspace.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { isHostGiven } from "./needs-simulator.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

const folder = join(import.meta.dirname, "../../examples/data-sources");

test("every data source has an example", () => {
  const types = Object.keys(registry.dataSources);
  expect(readdirSync(folder).sort()).toEqual(types.sort());
});

for (const binary of findBinaries()) {
  describe(`data sources (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster("root@pam!admin");
    });
    afterAll(() => cluster.close());

    const onSeed = test.skipIf(isHostGiven);
    onSeed(
      "return values in all examples, unchanged and in one configuration, on the cluster of the seed",
      async () => {
        using terraform = targetWorkspace(binary, plugin, cluster);
        const { world } = (cluster.simulator as Simulator).sim;
        const place = { volid: "nas:import/appliance.ova", node: undefined, content: "import", format: "ova" } as const;
        const ovf = '<Envelope><VirtualSystem ovf:id="appliance"/></Envelope>';
        world.volumes.push({ ...place, size: 0, ctime: 0, ova: { ovf, files: [] } });
        const config = {
          hostname: "cache",
          rootfs: "local-lvm:vm-700-disk-0,size=1G",
          ostype: "alpine",
          arch: "amd64",
        };
        const more = { pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: {}, run: undefined };
        const behaviour = { agent: false, acpi: true };
        world.guests[700] = { vmid: 700, type: "lxc", node: "pve1", config, ...more, behaviour };
        for (const type of readdirSync(folder)) {
          terraform.write(`${type}.tf`, readFileSync(join(folder, type, "data-source.tf"), "utf8"));
        }
        await expectDone(terraform);
        const addresses = Object.values(world.nodes).map(({ name, address }) => [name, address]);
        const outputs = await terraform.outputs();
        // Whatever an example shows is there; values that the seed fixes are compared.
        expect(Object.entries(outputs).filter(([, value]) => value === null)).toEqual([]);
        expect(outputs).toMatchObject({
          ubuntu: { vmid: 9000, node: "pve1", disks: { scsi0: "3584M" } },
          golden_vmid: 9001,
          worker_addresses: {},
          placement: {
            "worker-0": "pve1",
            "worker-1": "pve2",
            "worker-2": "pve3",
            "worker-3": "pve1",
            "worker-4": "pve2",
            "worker-5": "pve3",
          },
          addresses: Object.fromEntries(addresses),
          free_gib: { ceph: expect.any(Number), "local-lvm": expect.any(Number), "local-zfs": 4000, nas: 16_000 },
          everywhere: ["vmbr0", "vmbr1"],
          guests_by_pool: {},
          release: world.version.release,
          nodes_by_device: {},
          images: ["debian-13.qcow2"],
        });
      },
    );

    test("wait for unknown values, and then find what the same run has created", async (context) => {
      cluster.needs(context, { uses: ["template", "bridge"] });
      using terraform = targetWorkspace(binary, plugin, cluster);
      const hcl = `
        data "proxmox_vms" "before" {}
        resource "proxmox_vm" "web" {
          name  = "web-of-${binary.name}"
          clone = { template = "debian-13-cloud" }
          tags  = ["made-here"]
          power = "stopped"
          networks = { net0 = { ipv4 = { address = "192.0.2.77/24" } } }
        }
        data "proxmox_vm" "web" {
          vmid = proxmox_vm.web.vmid
        }
        data "proxmox_vms" "made" {
          tags       = ["made-here"]
          addresses  = "configured"
          depends_on = [proxmox_vm.web]
        }
        output "name" { value = data.proxmox_vm.web.name }
        output "storage" { value = data.proxmox_vm.web.disks.scsi0.storage }
        output "addresses" { value = data.proxmox_vms.made.ipv4_addresses }
      `;
      terraform.configure(hcl);
      await expectDone(terraform);
      expect(await terraform.outputs()).toEqual({
        name: cluster.named(`web-of-${binary.name}`),
        storage: cluster.simulator ? "ceph" : expect.any(String),
        addresses: { [cluster.named(`web-of-${binary.name}`)]: "192.0.2.77" },
      });
      expect(await terraform.destroy()).toMatchObject({ code: 0 });
    });
  });
}
if (findBinaries().length === 0) test.skip(`data sources: skipped. ${howToGetOne}`);

/** Applies without an error or a warning, and checks that the next plan is empty. The checks of an example may warn. */
async function expectDone(terraform: Workspace): Promise<void> {
  const applied = await terraform.apply();
  const second = await terraform.plan();
  for (const { code, diagnostics } of [applied, second]) {
    expect({ code, diagnostics: diagnostics.filter(({ summary }) => !isCheck(summary)) }).toEqual({
      code: 0,
      diagnostics: [],
    });
  }
  expect(second.changes).toEqual({});
}

const isCheck = (summary: string) => summary === "Check block assertion failed";
