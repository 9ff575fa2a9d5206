import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "#simulator";
import { browser } from "../../../scripts/browser-page.ts";
import { type Binary, findBinaries, howToGetOne } from "../../../src/cli/terraform-binaries.ts";
import type { PluginBinary } from "../../terraform/plugin-binary.ts";
import { startedByTerraform, type Workspace } from "../../terraform/workspace.ts";
import { buildProvider, clusterWorkspace } from "../cluster-workspace.ts";
import { visit } from "./browser.ts";

const [binary] = findBinaries();
if (!browser) process.stderr.write("tests in a browser are skipped: there is no chromium on PATH\n");

const names = ["web-1", "web-2", "web-3"];

describe.skipIf(!binary)("a traced run", () => {
  let simulator: Simulator;
  let terraform: Workspace;
  let plugin: PluginBinary;
  let trace: string;
  beforeAll(async () => {
    plugin = await buildProvider();
    simulator = await startSimulator({ speed: 100 });
    terraform = startedByTerraform(clusterWorkspace(binary as Binary, plugin, simulator));
    trace = join(terraform.folder, "run.jsonl");
    terraform.env["PROXMOX_TRACE_PATH"] = trace;
    terraform.configure(`
resource "proxmox_vm" "web" {
  for_each = { ${names.map((name, index) => `"${name}" = ${401 + index}`).join(", ")} }
  name     = each.key
  vmid     = each.value
  clone    = { template = "9000", full = true }
  cpu      = { cores = 4 }
  disks    = { scsi0 = { size = "40G" } }
  power    = "running"
}
`);
    expect((await terraform.apply()).code).toBe(0);
    expect((await terraform.destroy()).code).toBe(0);
  });
  afterAll(async () => {
    terraform[Symbol.dispose]();
    await simulator.close();
  });

  const events = () =>
    readFileSync(trace, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const timeline = (...args: string[]) =>
    execFileSync(plugin.path, ["timeline", trace, ...args], { encoding: "utf8", env: { PATH: process.env["PATH"] } });

  test("is one complete file for all processes, which only its owner can read", () => {
    expect(statSync(trace).mode & 0o777).toBe(0o600);
    const [applied, destroyed, ...more] = [...Map.groupBy(events(), ({ run }) => run).values()];
    expect(more).toEqual([]);
    expect(new Set(applied?.map(({ pid }) => pid)).size).toBeGreaterThan(1);
    expect(destroyed?.filter(({ event }) => event === "process").length).toBeGreaterThan(1);
  });

  test("has every step of every VM, with its start, its end and its task", () => {
    for (const [index, name] of names.entries()) {
      const own = events().filter((event) => event["name"] === name);
      const ended = own.filter(({ event }) => event === "step");
      expect(ended.map(({ step }) => step).filter((step) => step !== "queue")).toEqual([
        "stabilise",
        "clone",
        "config",
        "resize",
        "start",
        "stop",
        "destroy",
      ]);
      const begun = own.filter(({ event }) => event === "begin").map(({ step }) => step);
      expect(begun).toEqual(["clone", "config", "resize", "start", "stop", "destroy"]);
      expect(ended.find(({ step }) => step === "clone")).toMatchObject({
        outcome: "ok",
        vmid: 401 + index,
        resource: "proxmox_vm",
        task: expect.stringMatching(/^UPID:pve1:.*:qmclone:9000:/),
        ms: expect.any(Number),
      });
      expect(own.filter(({ event }) => event === "operation").map(({ operation }) => operation)).toEqual(
        expect.arrayContaining(["create", "read", "delete"]),
      );
    }
  });

  test("separates the work for one VM from that for others and for all", () => {
    const started = events().filter(({ event, task }) => event === "task" && String(task).includes(":qmstart:"));
    expect(started.map(({ name, task }) => [name, /:qmstart:(\d+):/.exec(String(task))?.[1]]).sort()).toEqual(
      names.map((name, index) => [name, String(401 + index)]),
    );
    const looks = events().filter(({ event, path }) => event === "call" && path === "/nodes/{node}/tasks");
    expect(looks.length).toBeGreaterThan(0);
    expect(looks.filter(({ name }) => name !== undefined)).toEqual([]);
  });

  test("is printed by the shipped binary: the latest run, or another", () => {
    expect(timeline("--format", "text")).toMatch(/^Run 2 of 2[\s\S]*^destroy +3 /m);
    expect(timeline("--format", "text", "--run", "1")).toMatch(/^Run 1 of 2[\s\S]*^clone +3 /m);
    expect(timeline("--format", "prom", "--run", "1")).toContain(
      'proxmox_terraform_step_duration_seconds_count{step="clone"} 3',
    );
  });

  test.skipIf(!browser)("is a page that a browser shows without errors", async () => {
    const seen = await visit(timeline("--all", "-o", "-"));
    expect({ console: seen.console, requests: seen.requests }).toEqual({ console: [], requests: ["/"] });
    for (const name of names) expect(seen.dom).toContain(`>${name}</text>`);
  });

  test.skipIf(!browser)("is checked by a browser that reports errors", async () => {
    const page = timeline("-o", "-").replace("<h1>", '<img src="/elsewhere.png"><h1 style="color:red">');
    const seen = await visit(page);
    expect(seen.console.join("\n")).toMatch(/elsewhere\.png[\s\S]*inline style|inline style[\s\S]*elsewhere\.png/);
  });
});

if (!binary) test.skip(`a traced run: skipped. ${howToGetOne}`);
