import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { richSeed } from "../../contract/cli/rich-seed.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";
import { typed } from "./typed.ts";

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

  const adopt = ({ folder, env }: Workspace, ...args: string[]) =>
    typed({ plugin, simulator, proxy, folder, env }, ["adopt", "--json", "--out", "infra", ...args]);

  /** What was written, as one text. */
  const written = ({ folder }: Workspace) =>
    readdirSync(join(folder, "infra"))
      .filter((name) => name.endsWith(".tf"))
      .map((name) => readFileSync(join(folder, "infra", name), "utf8"))
      .join("");

  /** Applies it with the provider of the workspace. */
  async function takeOver(terraform: Workspace) {
    const isUsed = (name: string) => !/provider\.tf$|\.terraform/.test(name);
    cpSync(join(terraform.folder, "infra"), terraform.folder, { recursive: true, filter: isUsed });
    for (const [, name = ""] of written(terraform).matchAll(/^variable "(.*)"/gm))
      terraform.env[`TF_VAR_${name}`] = "secret";
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    const waiting = { address: "proxmox_vm.web", summary: "Changes wait for a restart" };
    expect(await terraform.plan()).toMatchObject({ code: 0, changes: {}, diagnostics: [waiting] });
  }

  test("is taken over whole by what `adopt` writes, is copied whole by a rehearsal, and is not changed", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    const before = settled(simulator);
    const { code, stdout } = await adopt(terraform);
    const { plan, objects, files } = JSON.parse(stdout);
    expect(plan).toEqual({ kind: "empty", imports: objects });
    expect(code).toBe(0);
    expect(objects).toBeGreaterThan(70);
    const types = new Set([...written(terraform).matchAll(/^resource "(\w+)"/gm)].map(([, type]) => type));
    expect([...types]).toEqual(
      expect.arrayContaining([
        "proxmox_node_zfs_pool",
        "proxmox_node_lvm",
        "proxmox_node_lvmthin",
        "proxmox_node_directory",
        "proxmox_sdn_ip",
      ]),
    );
    expect(types.size).toBeGreaterThan(35);
    expect(files).toEqual(expect.arrayContaining(["access.tf", "sdn.tf", "firewall.tf", "virtual_machines.tf"]));
    expect(proxy.refused).toEqual([]);

    for (const text of ["zone = proxmox_sdn_zone.z1.id", "pool = proxmox_pool.web.id", '"pve2_vmbr0"'])
      expect(written(terraform)).toContain(text);
    expect(written(terraform)).toContain("sensitive = true");
    expect(written(terraform)).toMatch(
      /`devices` and `raid_level`: null .* reports: \/dev\/sd.*\.\nresource "proxmox_node_zfs_pool"/,
    );
    await takeOver(terraform);

    const { folder, env } = terraform;
    const rehearsed = await typed({ plugin, simulator, proxy, folder, env }, ["rehearse", "--json"]);
    expect(JSON.parse(rehearsed.stdout)).toMatchObject({ resources: [], problems: [], second_plan: "empty" });
    expect(proxy.refused).toEqual([]);
    expect(settled(simulator)).toBe(before);
  });

  test("is taken over by a resource for each table, if asked to", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    const { stdout } = await adopt(terraform, "--for-each");
    const { plan, objects } = JSON.parse(stdout);
    expect(plan).toEqual({ kind: "empty", imports: objects });
    expect(written(terraform)).toContain('user = proxmox_user.users["owner@pve"].id');
    expect(await terraform.run(["fmt", "-check", "-diff", "infra"])).toMatchObject({ code: 0, stdout: "" });
    await takeOver(terraform);
    expect(Object.keys(await terraform.resources())).toContain('proxmox_user.users["root@pam"]');
    expect(proxy.refused).toEqual([]);
  });

  test.each([
    ["--node", "pve9", "no node 'pve9' is visible. There is `pve1`, `pve2`"],
    ["--pool", "wep", "no pool 'wep' is visible. There is `web`"],
    ["--tags", "prod", "no tag 'prod' is visible"],
    ["--area", "firewal", "not 'firewal'"],
  ])("is not searched for what it does not have: %s %s", async (option, value, text) => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    expect(await adopt(terraform, option, value)).toMatchObject({ code: 2, stderr: expect.stringContaining(text) });
    expect(terraform.has("infra")).toBe(false);
  });

  test("is not written where a configuration is already", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    expect(await adopt(terraform, "--area", "sdn", "--no-plan")).toMatchObject({ code: 0 });
    expect(readdirSync(join(terraform.folder, "infra")).sort()).toEqual(["provider.tf", "sdn.tf", "variables.tf"]);
    const again = await adopt(terraform, "--area", "sdn", "--no-plan");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("exists. Give an empty folder.") });
    expect(readdirSync(join(terraform.folder, "infra"))).toHaveLength(3);
  });
});
