import type { Simulator } from "#simulator";
import { attribute } from "../../test/contract/resource-bench.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import {
  Core,
  type Instance,
  type Launched,
  launch,
  type ManagedResource,
  type Plan,
  ProviderErrors,
  RuleViolation,
} from "../../test/harness/index.ts";
import { ListeningWire } from "./listening-wire.ts";
import { patience } from "./patience.ts";
import type { Config, Configs, Script } from "./script.ts";
import type { Held, Result, Stack } from "./stack.ts";
import type { Cut } from "./troubles.ts";

interface Kept {
  readonly instance: Instance;
  readonly isTainted: boolean;
}

/**
 * Terraform's commands as the harness models them, including Terraform's behaviour when a provider fails or dies: the
 * state keeps its contents, and an object whose creation got no response is in no state.
 */
export class ModelledStack implements Stack {
  readonly #simulator: Simulator;
  readonly #script: Pick<Script, "caller" | "parallelism">;
  readonly #command: string[];
  readonly #state = new Map<string, Kept>();
  #provider: { readonly process: Launched; readonly wire: ListeningWire; readonly core: Core } | null = null;
  #cut: Cut["who"] | null = null;
  #logs = "";
  #errors: string[] = [];
  #warnings: string[] = [];
  #violations: string[] = [];

  constructor(simulator: Simulator, script: Pick<Script, "caller" | "parallelism">, command: string[]) {
    this.#simulator = simulator;
    this.#script = script;
    this.#command = command;
  }

  held(): ReadonlyMap<string, Held> {
    const entries = [...this.#state].map(([name, { instance, isTainted }]): [string, Held] => [
      name,
      { vmid: Number(attribute(instance, "vmid")), isTainted },
    ]);
    return new Map(entries);
  }

  logs(): string {
    return `${this.#logs}${this.#provider?.process.stderr() ?? ""}`;
  }

  async apply(configs: Configs): Promise<Result> {
    return this.#perform(async () => {
      const vm = await this.#configured();
      const plans = await this.#planAll(vm, configs);
      if (plans === null) return;
      const again = await this.#configured();
      const gone = [...this.#state.keys()].filter((name) => !(name in configs));
      const work = [
        ...gone.map((name) => () => this.#destroy(again, name)),
        ...plans.map(
          ([name, plan]) =>
            () =>
              this.#applyOne(again, name, plan, configs[name] ?? {}),
        ),
      ];
      await inParallel(this.#script.parallelism, work, () => this.#cut === null);
    });
  }

  async plan(configs: Configs): Promise<Result & { changes: string[] }> {
    let changes: string[] = [];
    const result = await this.#perform(async () => {
      const plans = await this.#planAll(await this.#configured(), configs);
      changes = (plans ?? []).flatMap(([name, { action }]) => (action === "no-op" ? [] : [`${name}: ${action}`]));
    });
    const gone = [...this.#state.keys()].filter((name) => !(name in configs));
    return { ...result, changes: [...changes, ...gone.map((name) => `${name}: delete`)] };
  }

  async import(name: string, vmid: number): Promise<Result> {
    return this.#perform(async () => {
      const vm = await this.#configured();
      this.#state.set(name, { instance: await vm.import({ id: String(vmid) }), isTainted: false });
    });
  }

  cut(who: Cut["who"]): void {
    if (this.#provider === null) return;
    this.#cut = who;
    if (who === "interrupt") void this.#provider.wire.call("StopProvider", {}).catch(() => undefined);
    else this.#kill();
  }

  async close(): Promise<void> {
    this.#kill();
  }

  async #perform(work: () => Promise<void>): Promise<Result> {
    this.#cut = null;
    [this.#errors, this.#warnings, this.#violations] = [[], [], []];
    await work().catch((reason: unknown) => this.#note(reason));
    if (this.#cut !== null) this.#kill();
    return { errors: this.#errors, warnings: this.#warnings, violations: this.#violations };
  }

  #kill(): void {
    if (this.#provider === null) return;
    const { process, wire } = this.#provider;
    process.process.kill("SIGKILL");
    wire.close();
    process.wire.close();
    this.#logs += process.stderr();
    this.#provider = null;
  }

  /** Each phase of a command has a provider without data from the one before. */
  async #configured(): Promise<ManagedResource> {
    this.#provider ??= await this.#launch();
    const { url, tokens, caCertificate } = this.#simulator;
    const { caller } = this.#script;
    const passwords: Record<string, string> = { "root@pam": "proxmox", "terraform@pve": "terraform" };
    const password = passwords[caller];
    const credentials = password ? { username: caller, password } : { api_token: tokens[caller] ?? "" };
    const { core } = this.#provider;
    await core.configure({ endpoint: url, ca_certificate: caCertificate, ...credentials });
    return core.resource("proxmox_vm");
  }

  async #launch() {
    const process = await launch(this.#command, { client: clientCertificate(), env: patience });
    const wire = new ListeningWire(process.address, process.credentials);
    wire.onWarning = ({ summary, detail }) => this.#warnings.push(`${summary}: ${detail}`);
    return { process, wire, core: await Core.connect(wire) };
  }

  /** Null when one of them failed: Terraform then applies nothing. */
  async #planAll(vm: ManagedResource, configs: Configs): Promise<[string, Plan][] | null> {
    const before = this.#errors.length + this.#violations.length;
    await inParallel(
      this.#script.parallelism,
      [...this.#state].map(
        ([name, kept]) =>
          () =>
            this.#refresh(vm, name, kept),
      ),
    );
    const plans = new Map<string, Plan>();
    const wanted = Object.entries(configs).map(([name, config]) => async () => {
      const kept = this.#state.get(name);
      // A tainted object is replaced by a new one, which is planned as a creation.
      const prior = kept && !kept.isTainted ? kept.instance : null;
      await vm.plan(prior, config).then(
        (plan) => plans.set(name, plan),
        (reason: unknown) => this.#note(reason),
      );
    });
    await inParallel(this.#script.parallelism, wanted);
    return this.#errors.length + this.#violations.length > before ? null : [...plans];
  }

  async #refresh(vm: ManagedResource, name: string, kept: Kept): Promise<void> {
    try {
      const instance = await vm.find(kept.instance);
      if (instance === null) this.#state.delete(name);
      else this.#state.set(name, { ...kept, instance });
    } catch (reason) {
      this.#note(reason);
    }
  }

  async #applyOne(vm: ManagedResource, name: string, plan: Plan, config: Config): Promise<void> {
    const kept = this.#state.get(name);
    const isReplaced = kept?.isTainted || plan.action === "replace";
    if (plan.action === "no-op") return;
    if (isReplaced && !(await this.#destroy(vm, name))) return;
    const prior = isReplaced ? null : plan.prior;
    const change: Plan = prior === null ? { ...plan, action: "create", prior } : plan;
    try {
      this.#state.set(name, { instance: await vm.apply(change, config), isTainted: false });
    } catch (reason) {
      this.#note(reason);
      const remains = this.#remains(reason, prior);
      if (remains) this.#state.set(name, { instance: remains, isTainted: prior === null });
    }
  }

  async #destroy(vm: ManagedResource, name: string): Promise<boolean> {
    const kept = this.#state.get(name);
    if (kept === undefined) return true;
    try {
      await vm.destroy(kept.instance);
      this.#state.delete(name);
      return true;
    } catch (reason) {
      this.#note(reason);
      const remains = this.#remains(reason, kept.instance);
      if (remains) this.#state.set(name, { ...kept, instance: remains });
      return false;
    }
  }

  /** What Terraform stores when a change has failed. The private data of a provider that died is lost. */
  #remains(reason: unknown, prior: Instance | null): Instance | null {
    if (reason instanceof ProviderErrors) return reason.remains ?? prior;
    if (this.#cut !== "provider" || prior === null) return prior;
    return { ...prior, private: new Uint8Array() };
  }

  /** Errors of a dead provider are not reported. */
  #note(reason: unknown): void {
    if (reason instanceof RuleViolation) this.#violations.push(reason.message);
    else if (reason instanceof ProviderErrors || this.#cut === null) this.#errors.push(String(reason));
  }
}

/** Does the work with limited parallelism; starts nothing more once it must stop. */
async function inParallel(
  limit: number,
  work: readonly (() => Promise<unknown>)[],
  mayGoOn: () => boolean = () => true,
): Promise<void> {
  const queue = [...work];
  const worker = async () => {
    for (let next = queue.shift(); next && mayGoOn(); next = queue.shift()) await next();
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
