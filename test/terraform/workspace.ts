import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Binary, devOverrides } from "../../src/cli/terraform-binaries.ts";
import { AttachableProvider } from "../harness/index.ts";
import { type Change, type Diagnostic, readEvents, type TerraformEvent } from "./events.ts";
import type { PluginBinary } from "./plugin-binary.ts";
import { resourcesIn, type StateFile, type StateResource } from "./state-file.ts";

export type { StateResource } from "./state-file.ts";

/** The result of one command. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
  events: TerraformEvent[];
  diagnostics: Diagnostic[];
  /** The planned changes by resource address. */
  changes: Record<string, Change>;
}

/** A running command, in a process group of its own as if started from a terminal. */
export interface Running {
  process: ChildProcess;
  outcome: Promise<Outcome>;
  /** What Ctrl-C does: the signal reaches Terraform and the providers it has started. */
  signalGroup(signal: NodeJS.Signals): void;
}

/** A folder with a configuration, in which the real binary runs with our provider. */
export class Workspace implements Disposable {
  readonly folder: string;
  readonly #binary: Binary;
  readonly #plugin: PluginBinary;
  #provider: { readonly env: string; readonly process: Promise<AttachableProvider> } | undefined;
  /**
   * Whether one process of the provider serves all commands. Otherwise Terraform starts several in each command, which
   * costs more than the rest of it; each connection has a provider of its own in both cases.
   */
  keepsProvider = false;
  /** For every command; tests may add to it. */
  readonly env: Record<string, string>;
  /** How long a command may take before it is killed. */
  patienceMs = 120_000;

  constructor(binary: Binary, plugin: PluginBinary, address: string) {
    this.folder = mkdtempSync(join(tmpdir(), "terraform-"));
    this.#binary = binary;
    this.#plugin = plugin;
    const cliConfig = this.write("cli.tfrc", devOverrides(address, plugin.folder));
    this.env = { TF_CLI_CONFIG_FILE: cliConfig, CHECKPOINT_DISABLE: "1", TF_IN_AUTOMATION: "1" };
  }

  [Symbol.dispose](): void {
    this.#stopProvider();
    rmSync(this.folder, { recursive: true, force: true });
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  configure(hcl: string): void {
    this.write("main.tf", hcl);
  }

  /** Exit code 0: nothing to do, 2: changes; anything else is a failure. */
  plan(...args: string[]): Promise<Outcome> {
    return this.run(["plan", "-json", "-detailed-exitcode", "-input=false", ...args]);
  }

  apply(...args: string[]): Promise<Outcome> {
    return this.run(["apply", "-json", "-auto-approve", "-input=false", ...args]);
  }

  destroy(): Promise<Outcome> {
    return this.run(["destroy", "-json", "-auto-approve", "-input=false"]);
  }

  import(address: string, id: string): Promise<Outcome> {
    return this.run(["import", "-input=false", "-no-color", address, id]);
  }

  validate(): Promise<Outcome> {
    return this.run(["validate", "-json"]);
  }

  /** A saved plan as JSON. */
  async show(plan: string): Promise<unknown> {
    return JSON.parse((await this.run(["show", "-json", plan])).stdout);
  }

  /** Resources in the state by address. */
  async resources(): Promise<Record<string, StateResource>> {
    const resources = resourcesIn(this.#state());
    return Object.fromEntries(resources.map((resource) => [resource.address, resource]));
  }

  async outputs(): Promise<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(this.#state().outputs ?? {}).map(([name, { value }]) => [name, value]));
  }

  /** Reads the file: the command for it would start the provider again. */
  #state(): StateFile {
    return this.has("terraform.tfstate") ? (JSON.parse(this.read("terraform.tfstate")) as StateFile) : {};
  }

  async run(args: string[], env: Record<string, string> = {}): Promise<Outcome> {
    if (!this.keepsProvider) return this.start(args, env).outcome;
    const provider = await this.#attachable({ ...this.env, ...env });
    const outcome = await this.start(args, { ...env, TF_REATTACH_PROVIDERS: provider.reattach }).outcome;
    if (provider.isAlive) return outcome;
    return { ...outcome, stderr: `${outcome.stderr}\nthe provider has ended: ${provider.stderr()}` };
  }

  /** The provider with that environment. Its socket is in the folder, so that no file is left behind. */
  async #attachable(env: Record<string, string>): Promise<AttachableProvider> {
    const key = JSON.stringify(env);
    if (this.#provider?.env !== key || !(await this.#provider.process).isAlive) {
      this.#stopProvider();
      const options = { cwd: this.folder, env: { ...env, PLUGIN_UNIX_SOCKET_DIR: this.folder } };
      this.#provider = { env: key, process: AttachableProvider.start([this.#plugin.path], options) };
    }
    return this.#provider.process;
  }

  #stopProvider(): void {
    this.#provider?.process.then(
      (provider) => provider.stop(),
      () => {},
    );
    this.#provider = undefined;
  }

  /** Starts a command in which Terraform starts the provider itself, whatever `keepsProvider` says. */
  start(args: string[], env: Record<string, string> = {}): Running {
    const child = spawn(this.#binary.path, args, {
      cwd: this.folder,
      env: { ...process.env, ...this.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const signalGroup = (signal: NodeJS.Signals) => {
      if (child.pid) process.kill(-child.pid, signal);
    };
    return { process: child, outcome: collect(child, signalGroup, this.patienceMs), signalGroup };
  }
}

/** For tests about processes: Terraform starts the provider in every command. */
export function startedByTerraform<W extends Workspace>(workspace: W): W {
  workspace.keepsProvider = false;
  return workspace;
}

async function collect(child: ChildProcess, signalGroup: Running["signalGroup"], patienceMs: number): Promise<Outcome> {
  const output = { stdout: "", stderr: "" };
  // A letter of several bytes may come in two pieces.
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    output.stderr += text;
  });
  const alarm = setTimeout(() => signalGroup("SIGKILL"), patienceMs);
  const [code] = await once(child, "close");
  clearTimeout(alarm);
  return { code, ...output, ...readEvents(output.stdout) };
}
