import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cliConfig, writeLauncher } from "../scripts/launcher.ts";
import { address } from "../src/address.ts";

/** `terraform`, or `tofu` where that is installed instead; undefined without either. */
export const binary = [process.env["TERRAFORM"] ?? "terraform", "tofu"].find((name) => {
  try {
    return execFileSync(name, ["version"], { env: { ...process.env, CHECKPOINT_DISABLE: "1" }, stdio: "pipe" });
  } catch {
    return false;
  }
});

/** A folder in which the real binary runs with this provider. */
export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), "shelf-"));
  readonly #env: Record<string, string | undefined>;

  constructor(env: Record<string, string>) {
    writeLauncher();
    this.#env = { ...process.env, ...env, TF_CLI_CONFIG_FILE: cliConfig, CHECKPOINT_DISABLE: "1", TF_INPUT: "0" };
  }

  configure(hcl: string): void {
    const source = `terraform {\n  required_providers {\n    shelf = { source = "${address}" }\n  }\n}\n`;
    writeFileSync(join(this.folder, "main.tf"), `${source}${hcl}`);
  }

  /** Not synchronously: the API that the provider calls runs in this process. */
  run(...args: string[]): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      execFile(binary ?? "", [...args, "-no-color"], { cwd: this.folder, env: this.#env }, (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` });
      });
    });
  }

  apply = () => this.run("apply", "-auto-approve");
  /** Code 0: no changes, 2: changes. */
  plan = () => this.run("plan", "-detailed-exitcode");
  destroy = () => this.run("destroy", "-auto-approve");

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
