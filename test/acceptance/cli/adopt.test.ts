import { execFile } from "node:child_process";
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { variablesFor } from "../../contract/cli/person.ts";
import { richSeed } from "../../contract/cli/rich-seed.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";

const [binary] = findBinaries();

/** What the simulator counts up, whatever is asked of it. */
const settled = ({ sim }: Simulator) => {
  const { guests, access, storages, pools: _, ...more } = sim.world as typeof sim.world & { pools?: unknown };
  return JSON.stringify({ guests, access, storages, sdn: more.sdn, firewall: more.firewall, ha: more.ha });
};

describe.skipIf(binary === undefined)("a cluster that existed before Terraform", () => {
  let plugin: PluginBinary;
  let simulator: Simulator;
  let proxy: GetOnly;

  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed: 100, seed: richSeed });
    proxy = await getOnlyProxy(simulator);
  });
  afterAll(async () => {
    await proxy.close();
    await simulator.close();
  });

  const adopt = (folder: string, env: Record<string, string>, ...args: string[]) =>
    promisify(execFile)(plugin.path, ["adopt", "--json", "--out", "infra", ...args], {
      cwd: folder,
      env: {
        ...process.env,
        ...env,
        ...variablesFor(simulator, "root@pam!admin"),
        PROXMOX_VE_ENDPOINT: proxy.url,
        PROXMOX_VE_CA_CERTIFICATE: proxy.caCertificate,
      },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    );

  test("is taken over whole by what `adopt` writes, and is not changed", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    const before = settled(simulator);
    const { code, stdout } = await adopt(terraform.folder, terraform.env);
    const { plan, objects, files } = JSON.parse(stdout);
    expect(plan).toEqual({ kind: "empty", imports: objects });
    expect(code).toBe(0);
    expect(objects).toBeGreaterThan(60);
    expect(files).toEqual(expect.arrayContaining(["access.tf", "sdn.tf", "firewall.tf", "virtual_machines.tf"]));
    expect(proxy.refused).toEqual([]);

    const text = readdirSync(join(terraform.folder, "infra"))
      .filter((name) => name.endsWith(".tf"))
      .map((name) => readFileSync(join(terraform.folder, "infra", name), "utf8"));
    expect(text.join("")).toContain("zone = proxmox_sdn_zone.z1.id");
    expect(text.join("")).toContain("sensitive = true");

    cpSync(join(terraform.folder, "infra"), terraform.folder, {
      recursive: true,
      filter: (name) => !/provider\.tf$|\.terraform/.test(name),
    });
    for (const [, name = ""] of text.join("").matchAll(/^variable "(.*)"/gm))
      terraform.env[`TF_VAR_${name}`] = "secret";
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {} });
    expect(settled(simulator)).toBe(before);
  });

  test("is not written where a configuration is already", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    expect(await adopt(terraform.folder, terraform.env, "--area", "sdn", "--no-plan")).toMatchObject({ code: 0 });
    expect(readdirSync(join(terraform.folder, "infra")).sort()).toEqual(["provider.tf", "sdn.tf", "variables.tf"]);
    expect(await adopt(terraform.folder, terraform.env, "--area", "sdnn")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("not 'sdnn'"),
    });
    const again = await adopt(terraform.folder, terraform.env, "--no-plan");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("exists. Give an empty folder.") });
    expect(readdirSync(join(terraform.folder, "infra"))).toHaveLength(3);
  });
});
