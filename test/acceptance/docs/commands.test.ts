import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { defaultSeed, type Simulator, startSimulator } from "#simulator";
import { findBinaries } from "../../../src/cli/terraform-binaries.ts";
import { version } from "../../../src/cli/version.ts";
import { buildProvider } from "../cluster-workspace.ts";
import { documents, type Step, stepsOf } from "./documents.ts";
import { notRun } from "./not-run.ts";

const root = join(import.meta.dirname, "../../..");
const home = mkdtempSync(join(tmpdir(), "docs-"));
const terraform = findBinaries().find(({ name }) => name === "terraform");

const reasonOf = (command: string) => notRun.find(([pattern]) => pattern.test(command))?.[1];

test("every reason not to run a command is still needed", () => {
  const commands = documents().flatMap((document) =>
    stepsOf(document).flatMap((step) => (step.kind === "command" ? [step.text] : [])),
  );
  const idle = notRun.filter(([pattern]) => !commands.some((command) => pattern.test(command)));
  expect(idle.map(([pattern]) => String(pattern))).toEqual([]);
});

/** As on a reader's machine: an empty home folder with the provider installed in it, and a cluster. */
describe.runIf(terraform)("the commands in the documentation work", () => {
  let simulator: Simulator;
  let emptyHost: Simulator;
  let environment: Record<string, string>;

  beforeAll(async () => {
    simulator = await startSimulator({ speed: 100, seed: defaultSeed() });
    emptyHost = await startSimulator({ speed: 100, seed: newlyInstalled() });
    const plugin = await buildProvider();
    const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
    const mirror = join(home, ".terraform.d/plugins/registry.terraform.io/proxmox-ts/proxmox", version);
    mkdirSync(mirror, { recursive: true });
    symlinkSync(plugin.folder, join(mirror, platform));
    // As `npm run install:local` does it: a link of that name, in a folder on the PATH.
    const programs = join(home, ".local/bin");
    mkdirSync(programs, { recursive: true });
    symlinkSync(plugin.path, join(programs, "terraform-provider-proxmox"));
    environment = {
      HOME: home,
      PATH: [programs, dirname(terraform?.path ?? ""), process.env["PATH"]].join(":"),
      REPOSITORY: root,
      CHECKPOINT_DISABLE: "1",
      NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? "",
      TF_IN_AUTOMATION: "1",
      // Answers to Terraform's questions.
      TF_CLI_ARGS_apply: "-auto-approve",
      TF_CLI_ARGS_destroy: "-auto-approve",
      TF_INPUT: "0",
    };
  });
  afterAll(async () => {
    await Promise.all([simulator.close(), emptyHost.close()]);
    rmSync(home, { recursive: true, force: true });
  });

  test.each(documents())("%s", async (document) => {
    const folder = mkdtempSync(join(home, "reader-"));
    const host = document === "docs/guides/first-vm.md" ? emptyHost : simulator;
    const { status, output } = await type(scriptOf(stepsOf(document)), folder, { ...environment, ...addressOf(host) });
    expect(status, output).toBe(0);
  });
});

/** One node, its two storages, one bridge, and no guest. */
function newlyInstalled() {
  const { nodes, storages, ...seed } = defaultSeed() as { nodes: object[]; storages: { storage: string }[] };
  const own = storages.filter(({ storage }) => ["local", "local-lvm"].includes(storage));
  return { ...seed, nodes: nodes.slice(0, 1), storages: own, guests: [] };
}

function addressOf({ url, tokens, caCertificate }: Simulator) {
  const authority = join(home, `ca-${new URL(url).port}.pem`);
  writeFileSync(authority, caCertificate);
  return {
    PROXMOX_VE_ENDPOINT: url,
    PROXMOX_VE_API_TOKEN: tokens["root@pam!admin"] ?? "",
    PROXMOX_VE_CA_CERTIFICATE: authority,
  };
}

/** Not synchronously: the cluster that the commands use runs in this process. */
function type(script: string, cwd: string, env: Record<string, string>): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile("bash", ["-c", script], { cwd, env, maxBuffer: 10_000_000 }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code ?? 1) : 0, output: `${stdout}\n${stderr}` });
    });
  });
}

/** Each document is one shell session: variables and the working folder stay until its end. */
function scriptOf(steps: readonly Step[]): string {
  const lines = steps.flatMap((step) => {
    if (step.kind === "file") return [`mkdir -p "$(dirname '${step.name}')"`, heredoc(step.name, step.text)];
    return reasonOf(step.text) === undefined ? [`echo '$ ${step.text.replaceAll("'", "'\\''")}'`, step.text] : [];
  });
  return [
    "set -euo pipefail",
    // Commands of the repository run at its top.
    'npm() { (cd "$REPOSITORY" && command npm "$@"); }',
    ...lines,
  ].join("\n");
}

const heredoc = (name: string, text: string): string => `cat > '${name}' <<'END_OF_FILE'\n${text}END_OF_FILE`;
