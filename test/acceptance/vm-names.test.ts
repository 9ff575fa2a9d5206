import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import { startedByTerraform, type Workspace } from "../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "./cluster-workspace.ts";

const list = (names: readonly string[]) => `
locals {
  names = ${JSON.stringify(names)}
}
resource "proxmox_vm" "all" {
  count = length(local.names)
  name  = local.names[count.index]
  power = "stopped"
  clone = { template = "ubuntu-24.04-cloud" }
}
`;

/** Names with Terraform, which plans and applies resources in any order. */
for (const binary of findBinaries()) {
  describe(`names (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let terraform: Workspace;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 200 });
    });
    beforeEach(() => {
      simulator.reset();
      terraform = clusterWorkspace(binary, plugin, simulator);
      return () => terraform[Symbol.dispose]();
    });
    afterAll(() => simulator.close());

    const names = () =>
      Object.values(simulator.sim.world.guests)
        .filter(({ config }) => config["template"] !== "1")
        .map(({ config }) => config["name"])
        .sort();
    const run = async (...args: string[]) => {
      const { stdout, stderr } = await terraform.run([...args, "-no-color", "-input=false"]);
      return stdout + stderr;
    };

    test("one is inserted at the front of a list, and every VM gets the name of the next", async () => {
      terraform.configure(list(["n-b", "n-c", "n-d"]));
      await run("apply", "-auto-approve");
      terraform.configure(list(["n-a", "n-b", "n-c", "n-d"]));
      const applied = await run("apply", "-auto-approve");
      expect(applied).toContain("1 added, 3 changed, 0 destroyed");
      expect(names()).toEqual(["n-a", "n-b", "n-c", "n-d"]);
      expect(await run("plan")).toContain("No changes");
    });

    test("one that is taken is refused, and a destroy is not", async () => {
      terraform.configure(list(["n-a"]));
      await run("apply", "-auto-approve");
      const { guests } = simulator.sim.world;
      const [any] = Object.values(guests);
      if (!any) throw new Error("there is no guest");
      guests[777] = { ...structuredClone(any), vmid: 777, config: { name: "n-b" } };
      terraform.configure(list(["n-a", "n-b"]));
      expect(await run("plan")).toContain("Name taken");
      startedByTerraform(terraform);
      const destroyed = await run("destroy", "-auto-approve");
      expect(destroyed).toContain("1 destroyed");
      expect(names()).toEqual(["n-b"]);
    });
  });
}
