import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { type Binary, findBinaries } from "../../src/cli/terraform-binaries.ts";
import { sourceAddress } from "../../src/source-address.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { Workspace } from "../terraform/workspace.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { compositions } from "./example-cases.ts";

const gpu = "path=0000:01:00.0,id=10de:2204,iommugroup=1";

/** What the example about backups restores. */
const backups = [
  {
    volid: "nas:backup/vzdump-qemu-101-2026_01_01-02_30_00.vma.zst",
    config: {
      name: "shop",
      cores: 2,
      memory: 2048,
      scsi0: "local-lvm:vm-101-disk-0,size=4G",
      net0: "virtio=BC:24:11:00:01:01,bridge=vmbr0",
    },
  },
  {
    volid: "nas:backup/vzdump-lxc-102-2026_01_01-02_35_00.tar.zst",
    config: {
      hostname: "cache",
      arch: "amd64",
      ostype: "debian",
      unprivileged: 1,
      memory: 512,
      rootfs: "local-lvm:vm-102-disk-0,size=2G",
      net0: "name=eth0,bridge=vmbr0,hwaddr=BC:24:11:00:01:02,ip=dhcp,type=veth",
    },
  },
];

for (const binary of findBinaries()) {
  describe(`a complete example (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      const map = ["pve1", "pve2", "pve3"].map((node) => `node=${node},${gpu}`);
      simulator = await startSimulator({
        speed: 100,
        seed: { ...defaultSeed(), mappings: { pci: [{ id: "gpu", map }] }, backups },
      });
    });
    afterAll(() => simulator.close());

    test.each(compositions)(
      "is applied, planned again and destroyed: $folder",
      async ({ folder, variables, outputs, destroyed = [] }) => {
        using terraform = workspaceFor(binary, folder);
        terraform.write("given.auto.tfvars", variables.map(assignment).join("\n"));
        expect((await terraform.apply()).diagnostics).toEqual([]);
        expect(await terraform.outputs()).toMatchObject(outputs);
        expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
        expect((await terraform.destroy()).diagnostics.map(({ summary }) => summary)).toEqual(destroyed);
      },
    );

    test("a stateful VM gets another operating system, and keeps its data", async () => {
      using terraform = workspaceFor(binary, "stateful-vm");
      const { world } = simulator.sim;
      const data = () => world.volumes.find(({ volid }) => volid.endsWith("-db-1-data"));
      const applyWith = (...lines: string[]) => {
        terraform.write("given.auto.tfvars", lines.join("\n"));
        return terraform.apply();
      };
      expect((await applyWith()).code).toBe(0);
      const { vmid: before } = await terraform.outputs();
      const disks = world.guests[Number(before)]?.config;
      const allocated = data();
      const debian = ['template = "debian-13-cloud"', 'data_size = "60G"'];
      expect((await applyWith(...debian)).code).toBe(0);
      const { vmid: after, data_volume: volume } = await terraform.outputs();
      const now = world.guests[Number(after)]?.config;
      expect(now?.["scsi1"]).toMatch(new RegExp(`^${String(volume)},.*size=60G`));
      expect(now?.["vmgenid"]).not.toBe(disks?.["vmgenid"]);
      expect(data()).toBe(allocated);
      expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
      const refused = await terraform.destroy();
      expect(refused.diagnostics.map(({ summary }) => summary)).toContain("Disk is protected");
      expect(data()).toBe(allocated);
      expect((await applyWith(...debian, "destroy_data = true")).code).toBe(0);
      expect((await terraform.destroy()).code).toBe(0);
      expect(data()).toBeUndefined();
    });

    // Terraform and OpenTofu check variables in the same way, so one of them suffices.
    test.runIf(binary.name === "terraform").each(compositions)(
      "refuses invalid inputs, and says which are valid: $folder",
      async ({ folder, refused }) => {
        using terraform = workspaceFor(binary, folder);
        for (const [variable, message] of refused) {
          const { code, diagnostics } = await terraform.plan(`-var=${variable}`);
          expect(code).toBe(1);
          expect(diagnostics.map(({ detail }) => detail).join("\n")).toMatch(message);
        }
      },
    );

    function workspaceFor(cli: Binary, folder: string): Workspace {
      const workspace = new Workspace(cli, plugin, sourceAddress);
      workspace.keepsProvider = true;
      Object.assign(workspace.env, {
        PROXMOX_VE_ENDPOINT: simulator.url,
        PROXMOX_VE_API_TOKEN: simulator.tokens["root@pam!admin"],
        PROXMOX_VE_CA_CERTIFICATE: workspace.write("ca.pem", simulator.caCertificate),
      });
      const place = join(import.meta.dirname, "../../examples/complete", folder);
      for (const name of readdirSync(place)) workspace.write(name, readFileSync(join(place, name), "utf8"));
      return workspace;
    }
  });
}

/** `workers=1` as a line of a variables file. */
const assignment = (variable: string): string => variable.replace("=", " = ");
