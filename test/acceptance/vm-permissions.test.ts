import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { run } from "../../src/cli/roles/role-command.ts";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import { type } from "../contract/cli/person.ts";
import { typeCommands } from "../contract/pveum.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Outcome } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

const token = "least@pve!tf";
const said = ({ diagnostics }: Outcome) => diagnostics.map(({ summary, detail }) => `${summary}: ${detail}`).join("\n");

const vm = (cores: number): string => `resource "proxmox_vm" "app" {
  name       = "app"
  vmid       = 401
  pool       = "prod"
  clone      = { template = "debian-13-cloud" }
  cpu        = { cores = ${cores} }
  disks      = { scsi0 = { size = "6G" } }
  networks   = { net0 = { vlan = 20 } }
  cloud_init = { user = "ops" }
  agent      = { enabled = true, wait = "10s" }
}
`;

for (const binary of findBinaries()) {
  describe(`with exactly the roles that are printed for a pool (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100 });
    });
    afterAll(() => simulator.close());

    test("a VM passes its whole lifecycle, and a missing privilege is reported by name", async () => {
      const { access } = simulator.sim.world;
      access.pools["prod"] = { vms: [], storage: [] };
      const options = ["--user", "least@pve", "--pool", "prod", "--template", "9001", "--storage", "ceph"];
      const { stdout } = await type(run, options, {});
      const secrets = await typeCommands(simulator, stdout);
      using terraform = clusterWorkspace(binary, plugin, simulator);
      const admin = simulator.tokens["root@pam!admin"] ?? "";
      terraform.write("provider.tf", terraform.read("provider.tf").replace(admin, `${token}=${secrets[token]}`));

      terraform.configure(vm(2));
      expect(said(await terraform.apply())).toBe("");
      expect((await terraform.plan()).code).toBe(0);

      const role = (access.roles["terraform-pool"] ?? []) as string[];
      role.splice(role.indexOf("VM.Config.CPU"), 1);
      terraform.configure(vm(4));
      const refused = said(await terraform.plan());
      expect(refused).toContain("/pool/prod: VM.Config.CPU (for `cpu.cores`)");
      const cure = refused.split("\n").filter((line) => line.trim().startsWith("pveum "));
      await typeCommands(simulator, cure.join("\n"));

      expect((await terraform.apply()).code).toBe(0);
      const { config, pending } = simulator.sim.world.guests[401] ?? {};
      expect({ ...config, ...pending?.set }).toMatchObject({ cores: "4" });
      expect(said(await terraform.destroy())).toBe("");
      expect(simulator.sim.world.guests[401]).toBeUndefined();
    });
  });
}
