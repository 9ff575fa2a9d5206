import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { variablesFor } from "../../contract/cli/person.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import type { Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { type GetOnly, getOnlyProxy } from "../get-only-proxy.ts";
import { typed } from "./typed.ts";

const [binary] = findBinaries();

const clone = `resource "proxmox_vm" "web" {
  name  = "web"
  clone = { template = "ubuntu-24.04-cloud", full = true }
}
`;

/** Processes whose environment names that folder. */
function runningIn(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8").includes(`INTERRUPTED_IN=${folder}`);
        return isOurs ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
      } catch {
        return [];
      }
    });
}

describe.skipIf(binary === undefined || !existsSync("/proc/self/environ"))("a command", () => {
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

  const workspace = () => clusterWorkspace(binary as NonNullable<typeof binary>, plugin, simulator);

  /** Types the command, and Ctrl-C as soon as Terraform runs that command. */
  async function interrupt({ folder, env }: Workspace, args: string[], during: RegExp) {
    const child = spawn(plugin.path, args, {
      cwd: folder,
      env: { ...process.env, ...env, ...variablesFor(simulator, "root@pam!admin"), INTERRUPTED_IN: folder },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const ended = once(child, "close");
    const isThere = () => runningIn(folder).some((line) => during.test(line));
    await vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 60_000, interval: 20 });
    child.kill("SIGINT");
    const [code] = await ended;
    return { code, stderr };
  }

  test.each([
    ["adopt", "plan", ["adopt", "--out", "infra"]],
    ["rehearse", "plan", ["rehearse"]],
    // The clone alone takes 20 s.
    ["rehearse", "apply", ["rehearse", "--speed", "1"]],
  ])("that is interrupted leaves nothing running and nothing half done: %s during %s", async (_, during, args) => {
    using terraform = workspace();
    terraform.configure(`resource "proxmox_pool" "web" {\n  id = "web"\n}\n${clone}`);
    const { folder } = terraform;
    const before = readdirSync(folder);
    const typedFor = new RegExp(` ${during} `);
    expect(await interrupt(terraform, args, typedFor)).toEqual({
      code: 1,
      stderr: "Interrupted. The cluster is unchanged.\n",
    });
    expect(runningIn(folder)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name !== "infra")).toEqual(before);
    const beside = readdirSync(dirname(folder)).filter((name) => name.includes(basename(folder)));
    expect(beside).toEqual([basename(folder)]);
    expect(simulator.sim.world.access.pools).not.toHaveProperty("web");
  });

  test("that compares or exports sends GET requests only", async () => {
    using terraform = workspace();
    const { folder } = terraform;
    terraform.configure('resource "proxmox_pool" "ours" {\n  id = "ours"\n}\n');
    expect(await terraform.apply()).toMatchObject({ code: 0 });
    for (const args of [
      ["export", "--out", "cluster.json"],
      ["drift", "--since", "cluster.json"],
      ["drift", "--state", join(folder, "terraform.tfstate")],
      ["import", "--templates", "--json"],
    ]) {
      expect(await typed({ plugin, simulator, proxy, folder }, args)).toMatchObject({ code: 0 });
    }
    expect(proxy.refused).toEqual([]);
  });
});
