import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne, isAtLeast } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

/** The first release with `query` and with actions; OpenTofu has neither. */
const since = { terraform: "1.14.0" };

const guests = [
  { vmid: 201, running: true, config: { name: "web-1" } },
  { vmid: 202, config: { name: "web-2" } },
  { vmid: 203, config: { name: "db-1" } },
];

for (const binary of findBinaries()) {
  describe.runIf(isAtLeast(binary, since))(`VMs that exist (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(["pve"]), guests } });
    });
    afterAll(() => simulator.close());

    test("are found by a query", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      terraform.write(
        "vms.tfquery.hcl",
        'list "proxmox_vm" "web" {\n  provider = proxmox\n  config {\n    name = "web-*"\n  }\n}\n',
      );
      const { code, stdout } = await terraform.run(["query", "-no-color"]);
      expect(code).toBe(0);
      expect(stdout).toContain("web-1 (201 on pve)");
      expect(stdout).toContain("web-2 (202 on pve)");
      expect(stdout).not.toContain("db-1");
    });

    test("are started by an action", async () => {
      using terraform = clusterWorkspace(binary, plugin, simulator);
      terraform.configure('action "proxmox_vm_start" "db" {\n  config {\n    vmid = 203\n  }\n}\n');
      const { code, stdout } = await terraform.run([
        "apply",
        "-auto-approve",
        "-no-color",
        "-invoke=action.proxmox_vm_start.db",
      ]);
      expect(code).toBe(0);
      expect(stdout).toContain("VM 203: running");
      expect(simulator.sim.world.guests[203]?.run).toBeDefined();
    });
  });
}
if (findBinaries().length === 0) test.skip(`queries and actions: skipped. ${howToGetOne}`);
