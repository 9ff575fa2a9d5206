import type { Simulator } from "#simulator";
import { attribute } from "../../test/contract/resource-bench.ts";
import { clientCertificate } from "../../test/harness/client-certificate.ts";
import {
  Core,
  type Input,
  type Instance,
  type Launched,
  launch,
  type ManagedResource,
  type Plan,
  type PlannedChange,
  ProviderErrors,
  RuleViolation,
  unknown,
} from "../../test/harness/index.ts";
import { inOrder, type Work } from "./in-order.ts";
import { ListeningWire } from "./listening-wire.ts";
import { patience } from "./patience.ts";
import { type Lookup, referencesIn, resolve } from "./references.ts";
import type { Config, Configs, Script } from "./script.ts";
import type { Held, Result, Stack } from "./stack.ts";
import type { Cut } from "./troubles.ts";

interface Kept {
  readonly instance: Instance;
  readonly isTainted: boolean;
  /** Addresses that its configuration refers to: it is destroyed before them. */
  readonly needs: readonly string[];
}

interface Planned {
  readonly plans: ReadonlyMap<string, Plan>;
  readonly removals: ReadonlyMap<string, PlannedChange>;
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
    const entries = [...this.#state].map(([address, { instance, isTainted }]): [string, Held] => [
      address,
      { isTainted, attribute: (name) => attribute(instance, name) },
    ]);
    return new Map(entries);
  }

  logs(): string {
    return `${this.#logs}${this.#provider?.process.stderr() ?? ""}`;
  }

  async apply(configs: Configs): Promise<Result> {
    return this.#perform(async () => {
      const planned = await this.#planAll(await this.#configured(), configs);
      if (planned === null) return;
      const { plans, removals } = planned;
      const core = await this.#configured();
      const work = new Map<string, Work>();
      for (const [address, plan] of removals) {
        work.set(address, { after: this.#usersOf(address), run: () => this.#destroy(core, address, plan) });
      }
      for (const [address, plan] of plans) {
        const config = configs[address] ?? {};
        work.set(address, { after: referencesIn(config), run: () => this.#applyOne(core, address, plan, config) });
      }
      await inOrder(this.#script.parallelism, work, () => this.#cut === null);
    });
  }

  #usersOf(address: string): string[] {
    return [...this.#state].flatMap(([user, { needs }]) => (needs.includes(address) ? [user] : []));
  }

  async plan(configs: Configs): Promise<Result & { changes: string[] }> {
    let changes: string[] = [];
    const result = await this.#perform(async () => {
      const planned = await this.#planAll(await this.#configured(), configs);
      changes = [...(planned?.plans ?? [])].flatMap(([address, { action }]) =>
        action === "no-op" ? [] : [`${address}: ${action}`],
      );
    });
    const gone = [...this.#state.keys()].filter((name) => !(name in configs));
    return { ...result, changes: [...changes, ...gone.map((name) => `${name}: delete`)] };
  }

  async import(address: string, id: string): Promise<Result> {
    return this.#perform(async () => {
      const resource = resourceOf(await this.#configured(), address);
      this.#state.set(address, { instance: await resource.import({ id }), isTainted: false, needs: [] });
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
  async #configured(): Promise<Core> {
    this.#provider ??= await this.#launch();
    const { url, tokens, caCertificate } = this.#simulator;
    const { caller } = this.#script;
    const passwords: Record<string, string> = { "root@pam": "proxmox", "terraform@pve": "terraform" };
    const password = passwords[caller];
    const credentials = password ? { username: caller, password } : { api_token: tokens[caller] ?? "" };
    const { core } = this.#provider;
    await core.configure({ endpoint: url, ca_certificate: caCertificate, ...credentials });
    return core;
  }

  async #launch() {
    const process = await launch(this.#command, { client: clientCertificate(), env: patience });
    const wire = new ListeningWire(process.address, process.credentials);
    wire.onWarning = ({ summary, detail }) => this.#warnings.push(`${summary}: ${detail}`);
    return { process, wire, core: await Core.connect(wire) };
  }

  /** Null when one of them failed: Terraform then applies nothing. */
  async #planAll(core: Core, configs: Configs): Promise<Planned | null> {
    const before = this.#errors.length + this.#violations.length;
    const refreshes = [...this.#state].map(([address, kept]): [string, Work] => [
      address,
      { after: [], run: () => this.#refresh(core, address, kept) },
    ]);
    await inOrder(this.#script.parallelism, new Map(refreshes));
    const plans = new Map<string, Plan>();
    const lookup: Lookup = (address, path) => valueAt(plans.get(address)?.planned ?? null, path) ?? unknown;
    const work = Object.entries(configs).map(([address, config]): [string, Work] => [
      address,
      {
        after: referencesIn(config),
        run: async () => {
          const kept = this.#state.get(address);
          // A tainted object is replaced by a new one, which is planned as a creation.
          const prior = kept && !kept.isTainted ? kept.instance : null;
          const planned = resourceOf(core, address).plan(prior, resolve(config, lookup));
          const plan = await planned.catch((reason: unknown) => this.#note(reason));
          if (plan) plans.set(address, plan);
          return plan !== undefined;
        },
      },
    ]);
    const removals = new Map<string, PlannedChange>();
    await inOrder(this.#script.parallelism, new Map([...work, ...this.#removals(core, configs, removals)]));
    return this.#errors.length + this.#violations.length > before ? null : { plans, removals };
  }

  /** Terraform plans the removal of what is no longer configured. */
  #removals(core: Core, configs: Configs, plans: Map<string, PlannedChange>): [string, Work][] {
    const gone = [...this.#state].filter(([address]) => !(address in configs));
    return gone.map(([address, { instance }]) => {
      const run = async () => {
        const planned = resourceOf(core, address).planDestroy(instance);
        const plan = await planned.catch((reason: unknown) => this.#note(reason));
        if (plan) plans.set(address, plan);
        return plan !== undefined;
      };
      return [address, { after: [], run }];
    });
  }

  async #refresh(core: Core, address: string, kept: Kept): Promise<boolean> {
    try {
      const instance = await resourceOf(core, address).find(kept.instance);
      if (instance === null) this.#state.delete(address);
      else this.#state.set(address, { ...kept, instance });
      return true;
    } catch (reason) {
      this.#note(reason);
      return false;
    }
  }

  async #applyOne(core: Core, address: string, plan: Plan, config: Config): Promise<boolean> {
    const kept = this.#state.get(address);
    const isReplaced = kept?.isTainted || plan.action === "replace";
    if (plan.action === "no-op") {
      // Terraform notes the dependencies of what it refreshes, too.
      if (kept) this.#state.set(address, { ...kept, needs: referencesIn(config) });
      return true;
    }
    if (isReplaced && !(await this.#destroy(core, address))) return false;
    const prior = isReplaced ? null : plan.prior;
    const change: Plan = prior === null ? { ...plan, action: "create", prior } : plan;
    const needs = referencesIn(config);
    const lookup: Lookup = (other, path) => valueAt(this.#state.get(other)?.instance.state ?? null, path) ?? null;
    try {
      const instance = await resourceOf(core, address).apply(change, resolve(config, lookup));
      this.#state.set(address, { instance, isTainted: false, needs });
      return true;
    } catch (reason) {
      this.#note(reason);
      const remains = this.#remains(reason, prior);
      if (remains) this.#state.set(address, { instance: remains, isTainted: prior === null, needs });
      return false;
    }
  }

  async #destroy(core: Core, address: string, plan?: PlannedChange): Promise<boolean> {
    const kept = this.#state.get(address);
    if (kept === undefined) return true;
    try {
      await resourceOf(core, address).destroy(kept.instance, plan);
      this.#state.delete(address);
      return true;
    } catch (reason) {
      this.#note(reason);
      const remains = this.#remains(reason, kept.instance);
      if (remains) this.#state.set(address, { ...kept, instance: remains });
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

const resourceOf = (core: Core, address: string): ManagedResource => core.resource(address.split(".")[0] ?? "");

const valueAt = (values: unknown, path: readonly string[]): Input | undefined =>
  path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], values) as Input | undefined;
