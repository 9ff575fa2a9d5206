import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import type { Rehearsal } from "../../../src/cli/rehearse/report.ts";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";
import { typed } from "./typed.ts";

const vm = (name: string, cores: number) => `
resource "proxmox_vm" "${name}" {
  name  = "${name}"
  clone = { template = "ubuntu-24.04-cloud" }
  cpu   = { cores = ${cores} }
  restart_policy = "when_needed"
}
`;

const [binary] = findBinaries();

describe.skipIf(binary === undefined)("a rehearsal", () => {
  let plugin: PluginBinary;
  let simulator: Simulator;
  let proxy: GetOnly;

  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed: 100 });
    proxy = await getOnlyProxy(simulator);
  });
  afterAll(async () => {
    await proxy.close();
    await simulator.close();
  });

  /** What a user sees who types it in the folder of a configuration, with only GET requests let through. */
  async function rehearse(
    { folder, env }: Workspace,
    token = "root@pam!admin",
    args: string[] = [],
  ): Promise<{ code: number; rehearsal: Rehearsal; stderr: string }> {
    const run = ["rehearse", "--json", "--speed", "100", ...args];
    const { code, stdout, stderr } = await typed({ plugin, simulator, proxy, folder, env, token }, run);
    return { code, stderr, rehearsal: stdout === "" ? {} : JSON.parse(stdout) };
  }

  const guests = () => JSON.stringify(simulator.sim.world.guests);

  test("shows what an apply does, and leaves the cluster, the state and the folder as they were", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.configure(vm("old", 1));
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    const [before, state] = [guests(), terraform.read("terraform.tfstate")];

    terraform.configure(`${vm("old", 2)}${vm("fresh", 1)}`);
    const { code, rehearsal, stderr } = await rehearse(terraform);
    expect(stderr).toBe("");
    expect(rehearsal).toMatchObject({ problems: [], second_plan: "empty", left: [] });
    expect(rehearsal.resources.map(({ address, action, result }) => `${address} ${action} ${result}`).sort()).toEqual([
      "proxmox_vm.fresh create done",
      "proxmox_vm.old update done",
    ]);
    expect(rehearsal.tasks.map(({ type }) => type)).toContain("qmclone");
    expect(rehearsal.speeds).toContainEqual({ storage: "local", mebibytes_per_second: 200, from: "assumed" });
    expect(code).toBe(0);

    expect(proxy.refused).toEqual([]);
    expect(guests()).toBe(before);
    expect(terraform.read("terraform.tfstate")).toBe(state);
    const beside = readdirSync(dirname(terraform.folder)).filter((name) => name.includes(basename(terraform.folder)));
    expect(beside).toEqual([basename(terraform.folder)]);
  });

  test("fails as the apply would, with the rights of the caller", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.configure('resource "proxmox_pool" "web" {\n  id = "web"\n}\n');
    terraform.env["PROXMOX_VE_PERMISSION_CHECK"] = "off";
    const { code, rehearsal } = await rehearse(terraform, "terraform@pve!tf");
    expect(code).toBe(1);
    expect(rehearsal.problems.join("\n")).toContain("Pool.Allocate");
    expect(simulator.sim.world.access.pools).not.toHaveProperty("web");
  });

  test("is not made if other providers would change something", async () => {
    using terraform = clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);
    terraform.configure(`${vm("fresh", 1).replace(/\}\n$/, "")}
  provisioner "local-exec" {
    command = "touch ran"
  }
}
`);
    const { code, stderr } = await rehearse(terraform);
    expect(code).toBe(2);
    expect(stderr).toContain("proxmox_vm.fresh (provisioners)");
    expect(terraform.has("ran")).toBe(false);
  });
});
