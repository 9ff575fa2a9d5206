import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binary, findBinaries, howToGetOne } from "./terraform-binaries.ts";

/** A provider, as a program to start. */
export interface Program {
  /** Source address, `host/namespace/name`. */
  address: string;
  /** The command to execute, with its arguments. */
  command: readonly string[];
}

/** One step: files to write first, the command that must then succeed, and a title. */
export interface Scene {
  title: string;
  files?: Readonly<Record<string, string>>;
  terraform: readonly string[];
  /** Returns what else to show once the command has ended. */
  afterwards?: () => string;
  /** For commands that are expected to fail. Default: 0. */
  exitCode?: number;
  /** Shows the output of the command only if it fails. */
  quiet?: boolean;
}

/** Runs scenes with the first binary found, and prints what happens. Resolves to the exit code. */
export async function demonstrate(
  program: Program,
  scenes: readonly Scene[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const [binary] = findBinaries();
  if (!binary) {
    process.stderr.write(`${howToGetOne}\n`);
    return 1;
  }
  const folder = mkdtempSync(join(tmpdir(), "terraform-demo-"));
  const begun = performance.now();
  try {
    const cliConfig = installFrom(folder, program);
    for (const [index, scene] of scenes.entries()) {
      announce(`${index + 1}. ${scene.title}`);
      if (!(await play(binary, scene, folder, { ...env, TF_CLI_CONFIG_FILE: cliConfig }))) return 1;
      if (scene.afterwards) process.stdout.write(`\n${indent(scene.afterwards())}\n`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  announce(
    `All of that took ${((performance.now() - begun) / 1_000).toFixed(1)} s with ${binary.name} ${binary.version}.`,
  );
  return 0;
}

const terraformSettings = {
  CHECKPOINT_DISABLE: "1",
  TF_IN_AUTOMATION: "1",
  TF_CLI_ARGS: process.stdout.isTTY ? "" : "-no-color",
};

async function play(binary: Binary, scene: Scene, folder: string, env: Record<string, string>): Promise<boolean> {
  for (const [name, text] of Object.entries(scene.files ?? {})) {
    writeFileSync(join(folder, name), text);
    process.stdout.write(`\n${indent(`# ${name}\n${text.trim()}`)}\n`);
  }
  process.stdout.write(`\n$ ${binary.name} ${scene.terraform.join(" ")}\n`);
  // Not `spawnSync`: a cluster in this process must continue in the meantime.
  const running = spawn(binary.path, scene.terraform, {
    cwd: folder,
    stdio: ["ignore", scene.quiet ? "pipe" : "inherit", scene.quiet ? "pipe" : "inherit"],
    env: { ...process.env, ...terraformSettings, ...env },
  });
  let printed = "";
  for (const stream of [running.stdout, running.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const [status] = (await once(running, "close")) as [number | null];
  if (status === (scene.exitCode ?? 0)) return true;
  process.stderr.write(printed);
  process.stderr.write(`\nThis is unexpected: ${binary.name} ended with ${status}.\n`);
  return false;
}

/**
 * A folder from which `terraform init` installs the provider as if it were a registry. A development override would
 * need no installation, but Terraform prints a warning about it with every command.
 */
function installFrom(folder: string, { address, command }: Program): string {
  const mirror = join(folder, ".mirror");
  const version = "0.0.1";
  const name = `terraform-provider-${address.split("/").at(-1)}_v${version}`;
  const platform = `${process.platform}_${process.arch === "x64" ? "amd64" : process.arch}`;
  const target = join(mirror, address, version, platform);
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, name), `#!/bin/sh\nexec ${command.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(join(target, name), 0o755);
  const cliConfig = join(folder, ".terraformrc");
  writeFileSync(
    cliConfig,
    `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(mirror)}\n  }\n}\n`,
  );
  return cliConfig;
}

function announce(text: string): void {
  const [bold, plain] = process.stdout.isTTY ? ["\u001b[1m", "\u001b[0m"] : ["", ""];
  process.stdout.write(`\n${bold}${text}${plain}\n`);
}

function indent(text: string): string {
  return text.replace(/^/gm, "  | ");
}
