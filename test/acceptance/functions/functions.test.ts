import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

const examples = join(import.meta.dirname, "../../../examples/functions");

const guests = [
  { vmid: 108, node: "pve1", config: { name: "monitoring-prometheus" } },
  { vmid: 112, node: "pve2", config: { name: "monitoring-prometheus" } },
  { vmid: 126, node: "pve2", config: { name: "monitoring-grafana" } },
];

/** Outputs of two examples may have the same name. */
const renamed = (example: string, text: string): string =>
  text.replaceAll(/^output "(\w+)"/gm, `output "${example}_$1"`);

for (const binary of findBinaries()) {
  describe(`functions (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), guests } });
    });
    afterAll(() => simulator.close());

    test("return what their examples say", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      for (const example of readdirSync(examples)) {
        terraform.write(
          `${example}.tf`,
          renamed(example, readFileSync(join(examples, example, "function.tf"), "utf8")),
        );
      }
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      expect(await terraform.outputs()).toEqual({
        import_blocks_imports: [
          "monitoring_prometheus_108 108",
          "monitoring_prometheus_112 112",
          "monitoring_grafana 126",
        ]
          .map((line) => line.split(" "))
          .map(([name, vmid]) => `import {\n  to = proxmox_vm.${name}\n  id = "${vmid}"\n}\n`)
          .join("\n"),
        parse_volume_id_disk: 100,
        parse_volume_id_image: "debian-13.iso",
        size_disk: { bytes: 1.5 * 2 ** 40, canonical: "1536G" },
        size_twice: "3T",
      });
    });

    test("accept a handwritten list, a null name, and a module", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      terraform.configure(`output "text" {
  value = provider::proxmox::import_blocks([{ vmid = 101, name = null }, { vmid = 102, name = "b", tags = ["x"] }], "module.a")
}
`);
      expect(await terraform.apply()).toMatchObject({ code: 0 });
      expect((await terraform.outputs())["text"]).toContain("to = module.a.proxmox_vm.vm_101\n");
    });

    test("report which argument is invalid, and why", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      terraform.configure(`output "a" { value = provider::proxmox::size("8 GB") }
output "b" { value = provider::proxmox::parse_volume_id("cdrom") }
output "c" { value = provider::proxmox::import_blocks("web") }
`);
      const { diagnostics } = await terraform.plan();
      const details = diagnostics.map(({ detail }) => detail.replaceAll(/\s+/g, " ")).sort();
      expect(details).toEqual([
        expect.stringMatching(/"size" parameter: "8 GB" is no size\. The units are .*Write `8G`\.$/),
        expect.stringMatching(/"vms" parameter: Expected a list of objects/),
        expect.stringMatching(/"volume_id" parameter: "cdrom" is no volume id: expected <storage>:<path>/),
      ]);
    });
  });
}
if (findBinaries().length === 0) test.skip(`functions: skipped. ${howToGetOne}`);
