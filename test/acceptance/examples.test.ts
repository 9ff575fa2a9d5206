import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Binary, findBinaries } from "../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../terraform/plugin-binary.ts";
import type { Outcome, StateResource, Workspace } from "../terraform/workspace.ts";
import { buildProvider } from "./cluster-workspace.ts";
import { compositions, lives } from "./example-cases.ts";
import { openTargetCluster, type TargetCluster, targetWorkspace } from "./target-cluster.ts";

const examples = join(import.meta.dirname, "../../examples");

/** Known to the configuration only; an import cannot read them from the server. */
const local = ["clone", "power", "inherited"];

test("every complete example is tested, here or with those of several files", () => {
  const here = lives.map(({ file }) => file.split("/")).filter(([kind]) => kind === "complete");
  const tried = [...here.map(([, folder]) => folder), ...compositions.map(({ folder }) => folder)];
  expect(tried.sort()).toEqual(readdirSync(join(examples, "complete")).sort());
});

for (const binary of findBinaries()) {
  describe(`an example (${binary.name} ${binary.version})`, () => {
    let plugin: PluginBinary;
    let cluster: TargetCluster;

    beforeAll(async () => {
      plugin = await buildProvider();
      cluster = await openTargetCluster();
    });
    afterAll(() => cluster.close());

    // Every example with the first binary; with the others, one example suffices.
    const led = binary.path === findBinaries()[0]?.path ? lives : lives.slice(0, 1);

    test.for(led)("passes its whole lifecycle: $file", async ({ file, needs, update, unset, updated }, context) => {
      cluster.needs(context, needs);
      const text = readFileSync(join(examples, file), "utf8");
      using terraform = workspaceFor(binary, text);
      await applied(terraform);
      const created = await terraform.resources();

      const changed = replaced(text, ...update);
      terraform.configure(changed);
      await applied(terraform);
      for (const vm of vms(await terraform.resources())) expect(await configOf(vm)).toMatchObject(updated);
      expect(vmidsOf(await terraform.resources())).toEqual(vmidsOf(created));

      terraform.configure(replaced(changed, unset, ""));
      await applied(terraform);

      const before = await terraform.resources();
      await importsEqual(binary, replaced(changed, unset, ""), before);

      expect(errorsIn(await terraform.destroy())).toEqual([]);
      for (const vmid of vmidsOf(before)) expect(await cluster.client.inventory.find("qemu", vmid)).toBeNull();
    });

    /** Applies, and checks that the next plan is empty. */
    async function applied(terraform: Workspace): Promise<void> {
      expect(errorsIn(await terraform.apply())).toEqual([]);
      const second = await terraform.plan();
      expect({ code: second.code, changes: second.changes }).toEqual({ code: 0, changes: {} });
    }

    async function importsEqual(other: Binary, text: string, before: Record<string, StateResource>): Promise<void> {
      using terraform = workspaceFor(other, text);
      for (const { address, values } of Object.values(before)) {
        const imported = await terraform.import(address, String(values["vmid"]));
        expect(`${imported.stdout}${imported.stderr}`).toContain("Import successful");
      }
      const after = await terraform.resources();
      for (const address of Object.keys(before)) {
        expect(known(after[address]?.values)).toEqual(known(before[address]?.values));
      }
      const untouched = await Promise.all(vms(before).map(configOf));
      await applied(terraform); // stores what only the configuration contains
      expect(await Promise.all(vms(before).map(configOf))).toEqual(untouched);
    }

    function workspaceFor(cli: Binary, text: string): Workspace {
      const workspace = targetWorkspace(cli, plugin, cluster);
      if (text.includes("required_providers")) workspace.write("terraform.tf", "");
      workspace.configure(text);
      return workspace;
    }

    async function configOf({ values }: StateResource): Promise<Readonly<Record<string, unknown>>> {
      const { vmid, node } = values as { vmid: number; node: string };
      return (await cluster.client.qemu.getConfig({ vmid, node })).options;
    }
  });
}

function replaced(text: string, from: string, to: string): string {
  expect(text).toContain(from);
  return text.replace(from, to);
}

const errorsIn = ({ diagnostics }: Outcome) => diagnostics.filter(({ severity }) => severity === "error");

const vms = (resources: Record<string, StateResource>): StateResource[] =>
  Object.values(resources).filter(({ type }) => type === "proxmox_vm");

const vmidsOf = (resources: Record<string, StateResource>): number[] =>
  vms(resources).map(({ values }) => values["vmid"] as number);

/** Without the values that only the configuration contains, at any depth. */
function known(values: unknown): unknown {
  if (Array.isArray(values)) return values.map(known);
  if (values === null || typeof values !== "object") return values;
  const kept = Object.entries(values).filter(([name]) => ![...local, "import_from", "on_remove"].includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, known(value)]));
}
