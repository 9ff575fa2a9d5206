import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { defaultSeed, startSimulator } from "#simulator";
import packageJson from "../../../package.json" with { type: "json" };
import { zip } from "../../../scripts/package/zip.ts";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { buildProvider } from "../cluster-workspace.ts";

const root = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "ci-"));
const { version } = packageJson;
const terraform = findBinaries().find(({ name }) => name === "terraform");

const module = `
terraform {
  required_providers {
    proxmox = { source = "proxmox-ts/proxmox" }
  }
}

variable "template" {
  default = "ubuntu-24.04-cloud"
}

variable "pool" {
  default = null
}

variable "name_prefix" {
  default = ""
}

resource "proxmox_vm" "this" {
  name  = "\${var.name_prefix}tested"
  clone = { template = var.template }
  pool  = var.pool
  power = "stopped"
}
`;
const tests =
  'run "names_the_vm" {\n  assert {\n    condition     = proxmox_vm.this.name == "tested"\n    error_message = "no"\n  }\n}\n';

interface Ran {
  readonly status: number;
  readonly output: string;
}

/** Not synchronously: a cluster may run in this process. Ended with everything it has started. */
const bash = (script: string, cwd: string, env: Record<string, string>): Promise<Ran> =>
  new Promise((resolve) => {
    const options = { cwd, env: { ...base(), ...env }, maxBuffer: 10_000_000 };
    execFile("bash", ["-eo", "pipefail", "-c", script], options, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
    });
  });

const base = () => ({
  HOME: join(folder, "home"),
  PATH: [dirname(terraform?.path ?? ""), process.env["PATH"]].join(":"),
  NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
  CHECKPOINT_DISABLE: "1",
  PROXMOX_PROVIDER_RELEASES: `file://${join(folder, "releases")}`,
});

function writeModule(name: string, files: Record<string, string>): string {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text);
  return place;
}

/** A release with the sources of today, as the scripts find one. */
beforeAll(async () => {
  const plugin = await buildProvider();
  const place = join(folder, "releases", `v${version}`);
  mkdirSync(place, { recursive: true });
  mkdirSync(join(folder, "home"));
  const machine = process.arch === "x64" ? "amd64" : "arm64";
  const archive = `terraform-provider-proxmox_${version}_${process.platform}_${machine}.zip`;
  const contents = readFileSync(plugin.path);
  const packed = await zip([{ name: `terraform-provider-proxmox_v${version}`, contents, mode: 0o755 }]);
  writeFileSync(join(place, archive), packed);
  const sum = createHash("sha256").update(packed).digest("hex");
  writeFileSync(join(place, `terraform-provider-proxmox_${version}_SHA256SUMS`), `${sum}  ${archive}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.runIf(terraform)("continuous integration of users", () => {
  test("the GitHub action tests a module, from installation to destruction", async () => {
    const place = join(root, ".github/actions/test-module");
    const { inputs, runs } = parse(readFileSync(join(place, "action.yml"), "utf8"));
    const cwd = writeModule("github", { "main.tf": module, "vm.tftest.hcl": tests });
    const given: Record<string, string> = { ...defaultsOf(inputs), speed: "200" };
    const [{ run, env }] = runs.steps;
    const variables = Object.fromEntries(
      Object.entries(env as Record<string, string>).map(([name, text]) => [name, evaluate(text, given)]),
    );
    const { status, output } = await bash(run, cwd, {
      ...variables,
      GITHUB_ACTION_PATH: place,
      GITHUB_PATH: join(folder, "path"),
    });
    expect(status, output).toBe(0);
    expect(output).toMatch(/1 passed, 0 failed[\s\S]*1 added[\s\S]*No changes[\s\S]*1 destroyed/);
    expect(readFileSync(join(folder, "path"), "utf8")).toBe(`${join(folder, "home/.local/bin")}\n`);
  });

  test("the GitLab template fetches the script of its version, and fails with the module", async () => {
    const template = parse(readFileSync(join(root, "examples/gitlab/test-module.gitlab-ci.yml"), "utf8"));
    const { variables, before_script, script } = template[".proxmox-module"];
    const source = join(folder, "source");
    const published = join(source, `v${version}/.github/actions`);
    mkdirSync(published, { recursive: true });
    cpSync(join(root, ".github/actions/proxmox-ci.sh"), join(published, "proxmox-ci.sh"));
    const cwd = writeModule("gitlab", { "main.tf": module, "vm.tftest.hcl": tests.replace('"tested"', '"other"') });
    const env = { ...variables, PROXMOX_CI_SOURCE: `file://${source}`, SIMULATOR_SPEED: "200" };
    const failed = await bash([...before_script, ...script].join("\n"), cwd, env);
    expect(failed.output).toMatch(/0 passed, 1 failed/);
    expect(failed.status).not.toBe(0);
  });

  test("the acceptance workflow keeps to its pool and its prefix, and removes what it has left", async () => {
    const workflow = parse(readFileSync(join(root, "examples/github-actions/acceptance.yml"), "utf8"));
    const { env, steps } = workflow.jobs.host;
    const guests = [
      { vmid: 801, node: "pve1", config: { name: "ci-left", scsi0: "local-lvm:vm-801-disk-0,size=1G" } },
      { vmid: 802, node: "pve1", config: { name: "production", scsi0: "local-lvm:vm-802-disk-0,size=1G" } },
      { vmid: 803, node: "pve1", config: { name: "ci-of-others", scsi0: "local-lvm:vm-803-disk-0,size=1G" } },
    ];
    const seed = defaultSeed() as { guests: object[] };
    const pools = [{ poolid: "ci", vms: [801, 802] }];
    const simulator = await startSimulator({
      speed: 200,
      seed: { ...seed, guests: [...seed.guests, ...guests], pools },
    });
    const before = Object.keys(simulator.sim.world.guests);
    const authority = join(folder, "ca.pem");
    writeFileSync(authority, simulator.caCertificate);
    const cwd = writeModule("acceptance", { "main.tf": module });
    const fixed = Object.entries(env as Record<string, string>).filter(([, value]) => !value.includes("${{"));
    const variables = {
      ...Object.fromEntries(fixed),
      PROXMOX_VE_ENDPOINT: simulator.url,
      PROXMOX_VE_API_TOKEN: simulator.tokens["root@pam!admin"] ?? "",
      PROXMOX_VE_CA_CERTIFICATE: authority,
      TF_VAR_template: "ubuntu-24.04-cloud",
    };
    const installed = await bash(`'${join(root, ".github/actions/proxmox-ci.sh")}' install`, cwd, {});
    expect(installed.status, installed.output).toBe(0);
    const withProvider = { ...variables, PATH: `${join(folder, "home/.local/bin")}:${base().PATH}` };
    const names: string[] = [];
    for (const { run } of steps as { run?: string }[]) {
      // The module fails half-way: nothing destroys its VM but the sweeper.
      if (run === undefined || run.includes("terraform destroy")) continue;
      const { status, output } = await bash(run, cwd, withProvider);
      expect(status, `${run}: ${output}`).toBe(0);
      names.push(...Object.values(simulator.sim.world.guests).map(({ config }) => String(config["name"])));
    }
    expect(names).toContain("ci-tested");
    expect(Object.keys(simulator.sim.world.guests)).toEqual(before.filter((vmid) => vmid !== "801"));
    await simulator.close();
  });
});

const defaultsOf = (inputs: Record<string, { default: string }>): Record<string, string> =>
  Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default]));

/** The expressions of our actions: an input, or the path of a seed in the workspace. */
function evaluate(text: string, inputs: Readonly<Record<string, string>>): string {
  const [, name = "", rest] = /^\$\{\{ inputs\.([\w-]+)(.*) \}\}$/.exec(text) ?? [];
  if (rest === "") return inputs[name] ?? "";
  return inputs[name] ? join("/", inputs[name]) : "";
}
