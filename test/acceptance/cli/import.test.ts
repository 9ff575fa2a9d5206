import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/import/import.ts";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import { type, variablesFor } from "../../contract/cli/person.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

/** Typical VMs: with many settings, with few, without a name, with the same name, and a template. */
const guests = [
  {
    vmid: 101,
    node: "pve1",
    running: true,
    config: {
      ...{ name: "monitoring-grafana", cores: 4, memory: 8192, cpu: "host", ostype: "l26", onboot: 1, agent: 1 },
      ...{
        scsihw: "virtio-scsi-single",
        boot: "order=scsi0;net0",
        tags: "monitoring;web",
        description: "do not touch",
      },
      scsi0: "local-lvm:vm-101-disk-0,discard=on,size=32G",
      ide2: "local-lvm:vm-101-cloudinit,media=cdrom",
      net0: "virtio=BC:24:11:00:01:01,bridge=vmbr0,tag=20",
      ...{ ciuser: "ops", ipconfig0: "ip=192.0.2.11/24,gw=192.0.2.1", unused0: "local-lvm:vm-101-disk-9" },
    },
  },
  { vmid: 102, node: "pve2", config: { name: "monitoring-prometheus", bios: "ovmf", efidisk0: "ceph:vm-102-disk-0" } },
  { vmid: 103, node: "pve3", config: { memory: 512 } },
  { vmid: 108, node: "pve2", config: { name: "db-1", sata0: "nas:108/vm-108-disk-0.qcow2,size=8G" } },
  { vmid: 112, node: "pve2", config: { name: "db-1" } },
  { vmid: 900, node: "pve1", config: { name: "golden", template: 1, scsi0: "local-lvm:base-900-disk-0,size=4G" } },
];

for (const binary of findBinaries()) {
  describe(`VMs that existed before Terraform (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), guests } });
    });
    afterAll(() => simulator.close());

    test("are imported by the file that the command writes, and are not changed", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      const before = JSON.stringify(simulator.sim.world.guests);
      const out = join(terraform.folder, "adopted.tf");
      const args = ["--templates", "--out", out];
      expect(await type(run, args, variablesFor(simulator, "root@pam!admin"))).toMatchObject({ code: 0, stderr: "" });

      const plan = await terraform.plan();
      expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      const summary = plan.events.find((event) => event.type === "change_summary") as { changes?: object } | undefined;
      expect(summary?.changes).toMatchObject({ import: guests.length, add: 0, change: 0, remove: 0 });

      expect(await terraform.apply()).toMatchObject({ code: 0 });
      expect(Object.keys(await terraform.resources()).sort()).toEqual([
        "proxmox_vm.db_1_108",
        "proxmox_vm.db_1_112",
        "proxmox_vm.golden",
        "proxmox_vm.monitoring_grafana",
        "proxmox_vm.monitoring_prometheus",
        "proxmox_vm.vm_103",
      ]);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
      expect(JSON.stringify(simulator.sim.world.guests)).toBe(before);
    });
  });
}
if (findBinaries().length === 0) test.skip(`imports: skipped. ${howToGetOne}`);
