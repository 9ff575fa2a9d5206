import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";

const tofu = findBinaries().find(({ name }) => name === "tofu");
if (!tofu) test.skip(`OpenTofu is not installed. ${howToGetOne}`);

const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/other-tools.md"), "utf8");
const [, encryption = ""] = /```hcl\n(.*?)```/s.exec(guide) ?? [];

describe.runIf(tofu)("the encryption of OpenTofu, as the guide configures it", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await startSimulator({ speed: 200 });
  });
  afterAll(() => simulator.close());

  test("hides the state and the plan, and changes nothing else", async () => {
    if (!tofu) return;
    using workspace = clusterWorkspace(tofu, await buildProvider(), simulator);
    workspace.env["TF_VAR_passphrase"] = "a passphrase of sixteen or more";
    const variable = 'variable "passphrase" {\n  sensitive = true\n}\n';
    workspace.configure(`${encryption}${variable}resource "proxmox_pool" "lab" {\n  id = "secret-lab"\n}\n`);
    const planned = await workspace.plan("-out=saved");
    expect(planned.diagnostics).toEqual([]);
    expect(workspace.read("saved")).not.toContain("secret-lab");
    expect(await workspace.apply()).toMatchObject({ code: 0, diagnostics: [] });
    expect(workspace.read("terraform.tfstate")).toContain("encrypted_data");
    expect(workspace.read("terraform.tfstate")).not.toContain("secret-lab");
    expect(await workspace.plan()).toMatchObject({ code: 0, changes: {} });
    expect((await workspace.run(["state", "pull"])).stdout).toContain("secret-lab");
    expect(await workspace.destroy()).toMatchObject({ code: 0 });
  });
});
