import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { liveWholeLife } from "../resource-life.ts";

for (const binary of findBinaries()) {
  describe(`files and container templates (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("pass their whole lifecycle, with VMs that use them from the first apply", async () => {
      const files = () =>
        simulator.sim.world.volumes.filter(({ content }) => ["iso", "import", "vztmpl"].includes(content));
      const sizeOf = (volid: string) => files().find((volume) => volume.volid === volid)?.size;
      const vms = () => Object.values(simulator.sim.world.guests).filter(({ vmid }) => vmid < 9000);
      await liveWholeLife({
        types: ["proxmox_file", "proxmox_download", "proxmox_container_template", "proxmox_oci_image"],
        update: [
          ["keyboard = de", "keyboard = de-latin1"],
          ["https://cloud.example.com/images", "https://mirror.example.com/images"],
        ],
        unset: [['  checksum = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"\n', ""]],
        local: [
          "source",
          "text",
          "overwrite",
          "reference",
          "sha256",
          "url",
          "checksum",
          "compression",
          "verify_certificates",
        ],
        workspace() {
          const workspace = clusterWorkspace(binary, plugin, simulator);
          workspace.write("rescue.iso", "This stands for a rescue system.\n");
          return workspace;
        },
        look(step) {
          expect(sizeOf("nas:iso/rescue.iso")).toBe(33);
          expect(sizeOf("local:iso/answers.img")).toBe(step === "created" ? 14 : 21);
          expect(sizeOf("nas:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst")).toBeGreaterThan(0);
          expect(sizeOf("nas:vztmpl/nginx_1.29.tar")).toBeGreaterThan(0);
          expect(sizeOf("nas:import/debian-13-genericcloud-amd64.qcow2")).toBeGreaterThan(0);
          expect(vms().map(({ config }) => config["scsi0"] ?? config["ide2"])).toEqual(
            expect.arrayContaining([
              expect.stringContaining("nas:iso/rescue.iso"),
              expect.stringContaining("size=20G"),
            ]),
          );
        },
      });
      expect(files()).toEqual([]);
    });
  });
}
