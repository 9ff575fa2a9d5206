import type { Simulator } from "#simulator";
import type { Binary } from "../../src/cli/terraform-binaries.ts";
import { clusterWorkspace } from "../../test/acceptance/cluster-workspace.ts";
import type { PluginBinary } from "../../test/terraform/plugin-binary.ts";
import { processesWith } from "../../test/terraform/processes.ts";
import type { Outcome, Running, Workspace } from "../../test/terraform/workspace.ts";
import { patience } from "./patience.ts";
import type { Config, Configs, Script } from "./script.ts";
import type { Held, Result, Stack } from "./stack.ts";
import type { Cut } from "./troubles.ts";

interface StoredState {
  readonly resources?: readonly {
    readonly type: string;
    readonly name: string;
    readonly instances: readonly { readonly status?: string; readonly attributes: Readonly<Record<string, unknown>> }[];
  }[];
}

const logFile = "terraform.log";

/** The real binary in a separate folder, with its state on disk. */
export class TerraformStack implements Stack {
  readonly #workspace: Workspace;
  readonly #parallelism: number;
  #running: Running | null = null;
  #isCut = false;

  constructor(simulator: Simulator, script: Script, binary: Binary, plugin: PluginBinary) {
    this.#workspace = clusterWorkspace(binary, plugin, simulator);
    this.#parallelism = script.parallelism;
    const logPath = this.#workspace.write(logFile, "");
    Object.assign(this.#workspace.env, patience, { TF_LOG_PROVIDER: "TRACE", TF_LOG_PATH: logPath });
  }

  async apply(configs: Configs): Promise<Result> {
    this.#configure(configs);
    const args = ["apply", "-json", "-auto-approve", "-input=false", "-lock=false"];
    return this.#resultOf(await this.#run([...args, `-parallelism=${this.#parallelism}`]));
  }

  async plan(configs: Configs): Promise<Result & { changes: string[] }> {
    this.#configure(configs);
    const outcome = await this.#run(["plan", "-json", "-input=false", "-lock=false"]);
    const changes = Object.entries(outcome.changes).map(([address, { action }]) => `${address}: ${action}`);
    return { ...this.#resultOf(outcome), changes };
  }

  async import(address: string, id: string): Promise<Result> {
    const outcome = await this.#run(["import", "-input=false", "-lock=false", address, id]);
    return outcome.code === 0 ? this.#resultOf(outcome) : { errors: [outcome.stderr], warnings: [], violations: [] };
  }

  cut(who: Cut["who"]): void {
    if (this.#running === null) return;
    this.#isCut = true;
    if (who === "interrupt") this.#running.signalGroup("SIGINT");
    else if (who === "terraform") this.#running.process.kill("SIGKILL");
    else for (const pid of this.#providers()) process.kill(pid, "SIGKILL");
  }

  held(): ReadonlyMap<string, Held> {
    const text = this.#workspace.has("terraform.tfstate") ? this.#workspace.read("terraform.tfstate") : "{}";
    const { resources = [] } = JSON.parse(text) as StoredState;
    const entries = resources.flatMap(({ type, name, instances }) =>
      instances.map(({ status, attributes }): [string, Held] => [
        `${type}.${name}`,
        { isTainted: status === "tainted", attribute: (attribute) => attributes[attribute] },
      ]),
    );
    return new Map(entries);
  }

  logs(): string {
    return this.#workspace.read(logFile);
  }

  async close(): Promise<void> {
    this.#running?.signalGroup("SIGKILL");
    this.#workspace[Symbol.dispose]();
  }

  #configure(configs: Configs): void {
    const resource: Record<string, Record<string, Config>> = {};
    for (const [address, config] of Object.entries(configs)) {
      const [type = "", name = ""] = address.split(".");
      resource[type] = { ...resource[type], [name]: config };
    }
    const isEmpty = Object.keys(resource).length === 0;
    this.#workspace.write("main.tf.json", JSON.stringify(isEmpty ? {} : { resource }));
  }

  async #run(args: string[]): Promise<Outcome> {
    this.#isCut = false;
    this.#running = this.#workspace.start(args);
    const outcome = await this.#running.outcome;
    this.#running = null;
    // Terraform's children run a moment longer; the next command must not meet them.
    for (const pid of this.#providers()) process.kill(pid, "SIGKILL");
    return outcome;
  }

  /** Providers of this workspace: they have its environment, and are not Terraform. */
  #providers(): number[] {
    return processesWith(this.#workspace.folder, "provider.mjs");
  }

  /** Errors of a killed provider are not reported. */
  #resultOf({ diagnostics, stderr, code }: Outcome): Result {
    const text = ({ summary, detail }: Outcome["diagnostics"][number]) => `${summary}: ${detail}`;
    const errors = diagnostics.filter(({ severity }) => severity === "error").map(text);
    const violations = errors.filter((error) => /inconsistent|invalid plan|Bug in the provider/.test(error));
    const isSilent = code !== 0 && errors.length === 0 && !this.#isCut;
    return {
      errors: this.#isCut ? [] : [...errors, ...(isSilent ? [`ended with ${code}: ${stderr}`] : [])],
      warnings: diagnostics.filter(({ severity }) => severity === "warning").map(text),
      violations: this.#isCut ? [] : violations,
    };
  }
}
