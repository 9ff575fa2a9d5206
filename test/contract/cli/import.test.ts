import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { run } from "../../../src/cli/import/import.ts";
import { type, variablesFor } from "./person.ts";

const guests = [
  { vmid: 101, node: "pve1", config: { name: "monitoring-grafana", tags: "web;monitoring" } },
  { vmid: 102, node: "pve2", config: { name: "monitoring-prometheus", tags: "monitoring" } },
  { vmid: 110, node: "pve2", config: { name: "db-1" } },
  { vmid: 111, node: "pve2", config: { name: "db-1" } },
  { vmid: 112, node: "pve3", config: {} },
  { vmid: 900, node: "pve1", config: { name: "monitoring-template", template: 1 } },
];

let simulator: Simulator;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "import-"));
  const pools = [{ poolid: "ops", vms: [101] }];
  simulator = await startSimulator({ speed: 100, seed: { ...defaultSeed(), guests, pools } });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await simulator.close();
});

const adopt = (args: string[], token?: string) => type(run, args, variablesFor(simulator, token));

describe("VMs to import", () => {
  it("are written as minimal blocks", async () => {
    const { code, stdout } = await adopt(["--name", "monitoring-*", "--pool", "ops"]);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/^#.*\n/gm, "")).toBe(`
import {
  to = proxmox_vm.monitoring_grafana
  id = "101"
}

resource "proxmox_vm" "monitoring_grafana" {
  name = "monitoring-grafana"
  vmid = 101
}
`);
  });

  it.each<[args: string[], vmids: number[]]>([
    [[], [101, 102, 110, 111, 112]],
    [
      ["--name", "monitoring-*"],
      [101, 102],
    ],
    [
      ["--name", "monitoring-*", "--templates"],
      [101, 102, 900],
    ],
    [
      ["--node", "pve2"],
      [102, 110, 111],
    ],
    [
      ["--pool", ""],
      [102, 110, 111, 112],
    ],
    [
      ["--tags", "monitoring"],
      [101, 102],
    ],
    [["--tags", "Monitoring,web"], [101]],
    [
      ["--vmid", "102-110"],
      [102, 110],
    ],
    [
      ["--vmid", "101, 111-112"],
      [101, 111, 112],
    ],
  ])("are selected by %j", async (args, vmids) => {
    const { code, stdout } = await adopt([...args, "--json"]);
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as { vms: { vmid: number }[] }).vms.map(({ vmid }) => vmid)).toEqual(vmids);
  });

  it("have distinct names", async () => {
    const { stdout } = await adopt(["--vmid", "110-112", "--json"]);
    expect((JSON.parse(stdout) as { vms: object[] }).vms).toEqual([
      { vmid: 110, name: "db-1", node: "pve2", resource: "db_1_110" },
      { vmid: 111, name: "db-1", node: "pve2", resource: "db_1_111" },
      { vmid: 112, name: null, node: "pve3", resource: "vm_112" },
    ]);
  });
});

describe("a file", () => {
  it("is written, and overwrites an existing file only with --force", async () => {
    const out = join(folder, "adopted.tf");
    expect(await adopt(["--vmid", "110-112", "--out", out])).toMatchObject({
      code: 0,
      stdout: `${out}: 3 VMs to import. Next: terraform plan.\n`,
    });
    const written = readFileSync(out, "utf8");
    expect(written).toContain("proxmox_vm.db_1_110");
    writeFileSync(out, "edited");
    expect(await adopt(["--out", out])).toMatchObject({
      code: 2,
      stderr: `'${out}' exists; --force overwrites it.\n`,
    });
    expect(readFileSync(out, "utf8")).toBe("edited");
    expect(await adopt(["--vmid", "110-112", "--out", out, "--force"])).toMatchObject({ code: 0 });
    expect(readFileSync(out, "utf8")).toBe(written);
  });

  it("that cannot be written is reported", async () => {
    const out = join(folder, "nowhere", "adopted.tf");
    expect(await adopt(["--out", out])).toMatchObject({ code: 2, stderr: `'${out}' cannot be written: ENOENT.\n` });
  });
});

describe("nothing to import", () => {
  it.each<[args: string[], sentence: string]>([
    [
      ["--name", "monitoring-graphana"],
      "No VM matches. Did you mean `monitoring-grafana`? Available: `monitoring-grafana`, `monitoring-prometheus`, `db-1`.\n",
    ],
    [
      ["--name", "prometheus"],
      "No VM matches. Did you mean `monitoring-prometheus`? Available: `monitoring-prometheus`, `db-1`, `monitoring-grafana`.\n",
    ],
    [["--name", "x*"], "No VM matches. Available: `db-1`, `monitoring-grafana`, `monitoring-prometheus`.\n"],
    [["--vmid", "500-600"], "No VM matches. Available: `db-1`, `monitoring-grafana`, `monitoring-prometheus`.\n"],
  ])("is reported with the available names: %j", async (args, sentence) => {
    expect(await adopt(args)).toEqual({ code: 1, stdout: "", stderr: sentence });
  });

  it("is distinguished from no visible VM", async () => {
    const { code, stderr } = await adopt([], "noacl@pve!tf");
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "No VM is visible. `doctor` shows whether a privilege is missing.\n",
    });
  });
});

it.each<[args: string[], sentence: RegExp]>([
  [["--vmid", "a-b"], /--vmid accepts VMIDs and ranges such as 101,110-119, not 'a-b'/],
  [["--vmid", "200-100"], /--vmid accepts VMIDs and ranges/],
  [["--nme", "x"], /Unknown option '--nme'; --help lists the options/],
  [["web-1"], /Unexpected argument 'web-1'; --help lists the options/],
])("refuses invalid arguments: %j", async (args, sentence) => {
  const { code, stdout, stderr } = await adopt(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(sentence);
});
