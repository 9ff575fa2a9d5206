import { afterAll, beforeAll, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { definitionsIn, LoadedModules } from "../../harness/loaded-modules.ts";
import { isExecutable } from "../../terraform/plugin-binary.ts";
import { startedByTerraform } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ speed: 100 });
});
afterAll(() => simulator.close());

const oneVm = `
resource "proxmox_vm" "web" {
  name  = "web-1"
  node  = "pve1"
  clone = { template = "ubuntu-24.04-cloud" }
}
`;

for (const binary of findBinaries()) {
  // Node reports the modules that it loads; the executable has no such report.
  test.skipIf(isExecutable)(
    `${binary.name} plans one VM with processes that load the VM and no other type`,
    async () => {
      using modules = new LoadedModules();
      using workspace = startedByTerraform(clusterWorkspace(binary, await buildProvider(), simulator));
      Object.assign(workspace.env, modules.env, { NODE_OPTIONS: modules.options.join(" ") });
      workspace.configure(oneVm);
      expect((await workspace.plan()).code).toBe(2);

      // One answers with the schemas, one validates, one plans.
      const [schemas = [], ...others] = modules.processes;
      expect(schemas).toContain("src/main.ts");
      expect(schemas.filter((path) => /^src\/(provider\.ts|(framework|kit|pve|resources)\/)/.test(path))).toEqual([]);
      expect(others.map(definitionsIn)).toEqual([["src/resources/vm/vm.ts"], ["src/resources/vm/vm.ts"]]);
    },
  );
}
