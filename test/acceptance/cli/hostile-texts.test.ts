import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries, isAtLeast } from "../../../src/cli/terraform-binaries.ts";
import { features } from "../../../src/cli/terraform-features.ts";
import { hostileSeed } from "../../contract/cli/hostile-seed.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";
import { typed } from "./typed.ts";

const binaries = findBinaries();

for (const binary of binaries) {
  describe(`texts of a cluster that look like code (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let simulator: Simulator;
    let proxy: GetOnly;

    beforeAll(async () => {
      plugin = await buildProvider();
      simulator = await startSimulator({ speed: 100, seed: hostileSeed });
      proxy = await getOnlyProxy(simulator);
    });
    afterAll(async () => {
      await proxy.close();
      await simulator.close();
    });

    const workspace = () => clusterWorkspace(binary, plugin, simulator);

    /** A plan that changes nothing shows that every text is read as the cluster has it; nothing else is declared. */
    async function expectImportsOnly(terraform: Workspace, folder = "."): Promise<void> {
      expect(terraform.has("ran")).toBe(false);
      const { code, stdout } = await terraform.run([`-chdir=${folder}`, "plan", "-no-color", "-input=false"]);
      expect({ code, summary: /Plan: .*/.exec(stdout)?.[0] }).toEqual({
        code: 0,
        summary: expect.stringMatching(/^Plan: [1-9]\d* to import, 0 to add, 0 to change, 0 to destroy\.$/),
      });
    }

    test("stay texts in what `import` writes", async () => {
      using terraform = workspace();
      const args = ["import", "--templates", "--out", "vms.tf"];
      expect(await typed({ plugin, simulator, proxy, folder: terraform.folder }, args)).toMatchObject({ code: 0 });
      await expectImportsOnly(terraform);
    });

    // `adopt` runs the first binary that it finds.
    test.runIf(binary === binaries[0]).each([[[]], [["--for-each"]]])(
      "stay texts in what `adopt` writes: %j",
      async (more) => {
        using terraform = workspace();
        const { folder, env } = terraform;
        const { stdout } = await typed({ plugin, simulator, proxy, folder, env }, [
          ...["adopt", "--json", "--out", "infra"],
          ...more,
        ]);
        const { plan, objects } = JSON.parse(stdout);
        expect(plan).toEqual({ kind: "empty", imports: objects });
        expect(await terraform.run(["fmt", "-check", "infra"])).toMatchObject({ code: 0 });
        expect(terraform.has("ran") || terraform.has("infra/ran")).toBe(false);
        expect(readFileSync(join(folder, "infra/cluster.tf"), "utf8")).not.toMatch(
          /\u202e|^resource "terraform_data"/m,
        );
        expect(proxy.refused).toEqual([]);
      },
    );

    // 1.17.0-dev looks for the provider of such a block in hashicorp/proxmox, whatever the configuration requires.
    test.skipIf(binary.version === "1.17.0-dev")("stay texts in a configuration that Terraform generates", async () => {
      using terraform = workspace();
      const blocks = [
        ["proxmox_pool.web", "web"],
        ["proxmox_vm.web", "100"],
        ["proxmox_user.owner", "owner@pve"],
        ["proxmox_firewall_security_group.web", "web"],
      ].map(([to, id]) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`);
      terraform.configure(blocks.join("\n"));
      const generated = await terraform.run(["plan", "-no-color", "-generate-config-out=generated.tf"]);
      expect(generated).toMatchObject({ code: 0 });
      await expectImportsOnly(terraform);
    });

    test.runIf(isAtLeast(binary, features.query))("stay texts in the results of a query", async () => {
      using terraform = workspace();
      const lists = ["pool", "vm", "user", "firewall_alias"].map(
        (noun) => `list "proxmox_${noun}" "all" {\n  provider = proxmox\n}\n`,
      );
      terraform.write("all.tfquery.hcl", lists.join("\n"));
      expect(await terraform.run(["query", "-no-color", "-generate-config-out=found.tf"])).toMatchObject({ code: 0 });
      await expectImportsOnly(terraform);
    });
  });
}
