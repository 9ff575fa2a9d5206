import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Simulator, startSimulator } from "#simulator";
import { seededRandom } from "../../src/simulator/core/kernel/random.ts";
import { Chronicle } from "./chronicle.ts";
import { crowdedSeed } from "./cluster.ts";
import { type Finding, failures, judge, secretsIn } from "./judge.ts";
import { Moments } from "./moments.ts";
import type { Watch } from "./part.ts";
import { referencesIn } from "./references.ts";
import type { Config, Configs, Script, Step } from "./script.ts";
import type { Result, Stack } from "./stack.ts";
import { nothing } from "./stack.ts";
import type { GuestEvent, Trouble } from "./troubles.ts";

export interface Outcome {
  readonly script: Script;
  readonly findings: readonly Finding[];
  /** How many of its commands failed or were interrupted, under faults. */
  readonly failed: number;
  readonly cut: number;
  /** Objects that were complete when the provider died, before Terraform received the result. */
  readonly imported: number;
  readonly seconds: number;
  readonly diary: readonly string[];
}

export interface LifeOptions {
  readonly makeStack: (simulator: Simulator, script: Script) => Stack;
  /** The speed of the cluster's clock. */
  readonly speed?: number;
  readonly logPath?: string;
  /** Lets a test change the world outside the provider's control. */
  readonly meddle?: (simulator: Simulator, moments: Moments) => void;
}

const patienceMs = 300_000;

/**
 * Runs one life cycle: faults and interruptions, then one apply without faults; any problem after that is a finding.
 */
export async function live(script: Script, options: LifeOptions): Promise<Outcome> {
  const began = performance.now();
  const { speed = 250 } = options;
  const random = seededRandom(String(script.seed));
  const simulator = await startSimulator({ speed, seed: crowdedSeed(script.parts), random });
  const life = new Life(script, simulator, options);
  try {
    const findings = await life.run();
    return { ...life.account, script, findings, seconds: (performance.now() - began) / 1000 };
  } finally {
    if (options.logPath) writeFileSync(options.logPath, life.stack.logs());
    await life.stack.close();
    await simulator.close();
  }
}

class Life {
  readonly stack: Stack;
  readonly #script: Script;
  readonly #simulator: Simulator;
  readonly #chronicle: Chronicle;
  readonly #watches: readonly Watch[];
  readonly #moments: Moments;
  readonly #diary: string[] = [];
  readonly #findings: Finding[] = [];
  readonly #count = { failed: 0, cut: 0, imported: 0 };
  /** What ends the actions of other clients. */
  #endings: (() => string | undefined)[] = [];
  #wanted: Configs = {};
  /** What was configured in the last apply without an error and since then: the last configuration, and all references. */
  readonly #recent = new Map<string, { readonly config: Config; readonly references: readonly string[] }>();
  #messages = "";
  /** An interrupted command is repeated unchanged: only then can the provider find what it had begun. */
  #isCut = false;

  constructor(script: Script, simulator: Simulator, { makeStack, meddle }: LifeOptions) {
    this.#script = script;
    this.#simulator = simulator;
    this.#chronicle = new Chronicle(simulator, script.parts);
    this.#watches = script.parts.map((part) => part.watch(this.#chronicle));
    this.#moments = new Moments(simulator);
    this.#moments.always(() => {
      this.#chronicle.stamp();
      for (const watch of this.#watches) watch.look?.();
    });
    meddle?.(simulator, this.#moments);
    this.stack = makeStack(simulator, script);
  }

  get account() {
    return { ...this.#count, diary: this.#diary };
  }

  async run(): Promise<Finding[]> {
    for (const step of this.#script.steps) await this.#suffer(step);
    this.#calm();
    await this.#settle();
    // At the end everything is destroyed, and nothing may remain.
    if (this.#findings.length === 0) await this.#leave();
    this.#findings.push(...secretsIn(this.stack.logs(), this.#script.secrets));
    return this.#findings;
  }

  async #suffer({ configs, troubles, cut }: Step): Promise<void> {
    this.#wanted = this.#isCut ? this.#wanted : this.#withReferred(this.#withUnfinished(configs));
    this.#moments.begin();
    for (const trouble of troubles) this.#arrange(trouble);
    let isCut = false;
    if (cut) {
      this.#moments.at(cut.at, () => {
        isCut = true;
        this.stack.cut(cut.who);
      });
    }
    const { errors } = await this.#apply(this.#wanted);
    this.#endMeddling();
    this.#count.failed += errors.length > 0 ? 1 : 0;
    this.#count.cut += isCut ? 1 : 0;
    this.#noteRecent(errors.length === 0 && !isCut);
    this.#isCut = isCut;
    if (isCut) this.#chronicle.excuseRefusals();
    if (isCut) this.#diary.push(`interrupted: ${JSON.stringify(cut)}`);
  }

  /**
   * An object that does not exist yet stays in the configuration: otherwise the provider could not find what it had begun.
   */
  #withUnfinished(configs: Configs): Configs {
    const held = this.stack.held();
    const unfinished = Object.entries(this.#wanted).filter(([address]) => !held.has(address));
    const together = { ...this.#withoutTaken(configs, unfinished), ...Object.fromEntries(unfinished) };
    for (const address of Object.values(together).flatMap(referencesIn)) {
      const config = together[address] ?? this.#wanted[address];
      if (config) together[address] = config;
    }
    return together;
  }

  /** A disk is in one VM: who would get it from an object that stays as it was stays, too. */
  #withoutTaken(configs: Configs, unfinished: readonly (readonly [string, Config])[]): Configs {
    const disksOf = (config: Config) => referencesIn(config).filter((address) => address.startsWith("proxmox_disk."));
    const taken = unfinished.flatMap(([, config]) => disksOf(config));
    const isTaken = (config: Config) => disksOf(config).some((disk) => taken.includes(disk));
    const entries = Object.entries(configs).map(([address, config]) => [
      address,
      isTaken(config) ? (this.#wanted[address] ?? config) : config,
    ]);
    return Object.fromEntries(entries);
  }

  /**
   * Terraform destroys an object before it changes those that have referred to it, which the provider may rightly refuse.
   * A removal that failed in an earlier step may have left both.
   */
  #withReferred(configs: Configs): Configs {
    const held = this.stack.held();
    const before = Object.keys(configs).flatMap((address) => this.#recent.get(address)?.references ?? []);
    const referred = [
      ...before.filter((address) => held.has(address)),
      ...Object.values(configs).flatMap(referencesIn),
    ];
    const missing = referred.flatMap((address) => {
      const config = this.#recent.get(address)?.config;
      return address in configs || config === undefined ? [] : [[address, config] as const];
    });
    return missing.length === 0 ? configs : this.#withReferred({ ...configs, ...Object.fromEntries(missing) });
  }

  #noteRecent(isDone: boolean): void {
    if (isDone) this.#recent.clear();
    for (const [address, config] of Object.entries(this.#wanted)) {
      const before = this.#recent.get(address)?.references ?? [];
      this.#recent.set(address, { config, references: [...before, ...referencesIn(config)] });
    }
  }

  #arrange(trouble: Trouble): void {
    this.#diary.push(`trouble: ${JSON.stringify(trouble)}`);
    const { faults } = this.#simulator;
    if ("order" in trouble) {
      faults.order(trouble.order);
      return;
    }
    if ("meddle" in trouble) {
      const meddling = this.#script.parts.flatMap(({ meddlings }) => meddlings?.[trouble.meddle] ?? [])[0];
      this.#moments.at(trouble.at, () => {
        if (meddling) this.#endings.push(meddling(this.#simulator, this.#chronicle));
      });
      return;
    }
    this.#moments.at(trouble.at, () => {
      const guest = this.#restingGuest(trouble.guest);
      if (guest && this.#hasRoomFor(guest, trouble.what)) faults.order({ ...trouble.what, vmid: guest.vmid });
    });
  }

  #endMeddling(): void {
    const said = this.#endings.splice(0).flatMap((end) => end() ?? []);
    this.#findings.push(...said.map((text) => ({ kind: "another client", text })));
  }

  /** No guest is moved to a node that already has volumes of those names. */
  #hasRoomFor({ vmid }: { readonly vmid: number }, misfortune: GuestEvent): boolean {
    if (misfortune.do !== "move_vm") return true;
    const { volumes } = this.#chronicle.world;
    // The simulator would move them along.
    if (volumes.some((volume) => volume.vmid === vmid && this.#chronicle.isOthersVolume(volume))) return false;
    const own = new Set(volumes.flatMap((volume) => (volume.vmid === vmid && volume.node ? [volume.volid] : [])));
    return !volumes.some(({ volid, node }) => node === misfortune.node && own.has(volid));
  }

  /** A guest without a running operation: neither an administrator nor HA would move another. */
  #restingGuest(name: string) {
    const { guests, tasks } = this.#chronicle.world;
    const guest = Object.values(guests).find(({ config }) => (config["name"] ?? config["hostname"]) === name);
    const isBusy = tasks.some(({ id, ended }) => ended === undefined && id === String(guest?.vmid));
    return guest?.config["lock"] === undefined && !isBusy ? guest : undefined;
  }

  #calm(): void {
    this.#moments.begin();
    this.#simulator.faults.clear();
    for (const node of Object.values(this.#chronicle.world.nodes)) node.online = true;
    this.#diary.push("peace");
  }

  async #settle(): Promise<void> {
    const final = await this.#importFinished(await this.#obey(await this.#apply(this.#wanted)));
    this.#findings.push(...failures(final));
    if (this.#findings.length > 0) return;
    const { changes, ...second } = await this.stack.plan(this.#wanted);
    this.#findings.push(...failures(second), ...changes.map((text) => ({ kind: "plan not empty", text })));
    this.#judge();
  }

  async #leave(): Promise<void> {
    this.#wanted = {};
    this.#findings.push(...failures(await this.#obey(await this.#apply({}))));
    this.#judge();
  }

  /** Does by hand what the messages ask for. */
  async #obey(result: Result): Promise<Result> {
    const { world } = this.#chronicle;
    const asked = result.errors.some((text) => this.#script.parts.some((part) => part.obey?.(text, world)));
    if (!asked) return result;
    this.#diary.push("done by hand, as the message says");
    return this.#apply(this.#wanted);
  }

  /**
   * A provider that dies after its last call to the cluster, and before Terraform receives the result, leaves a
   * complete object that is in no state. It looks like any other; the message says how to import it, and that must work.
   */
  async #importFinished(result: Result): Promise<Result> {
    const finished = result.errors.flatMap((text) => this.#script.parts.flatMap((part) => part.finished?.(text) ?? []));
    // Two parts may know the same kind of object.
    const distinct = [...new Map(finished.map((one) => [one.address, one])).values()];
    const taken = distinct.filter(({ address }) => address in this.#wanted && !this.stack.held().has(address));
    if (taken.length === 0) return result;
    for (const { address, id } of taken) {
      this.#count.imported += 1;
      const imported = await this.stack.import(address, id);
      if (imported.errors.length > 0) return imported;
    }
    // What refers to them is planned now, and may be complete as well.
    return this.#importFinished(await this.#obey(await this.#apply(this.#wanted)));
  }

  async #apply(configs: Configs): Promise<Result> {
    for (const watch of this.#watches) watch.plan(configs, this.stack.held());
    const late = Symbol();
    const result = await Promise.race([this.stack.apply(configs), sleep(patienceMs, late, { ref: false })]);
    if (result === late) {
      const last = this.stack.logs().trimEnd().split("\n").slice(-12).join("\n");
      this.#findings.push({
        kind: "command stuck",
        text: `no end after ${patienceMs / 1000} s; the last lines:\n${last}`,
      });
      return nothing;
    }
    const { errors, warnings, violations } = result as Result;
    this.#messages += [...errors, ...warnings].join("\n");
    this.#findings.push(...failures({ errors: [], warnings, violations }));
    this.#diary.push(`apply of ${Object.keys(configs).join(", ") || "nothing"}: ${errors.join("; ") || "done"}`);
    const held = [...this.stack.held()].map(
      ([address, one]) => `${address}=${one.attribute("vmid") ?? "?"}${one.isTainted ? " tainted" : ""}`,
    );
    this.#diary.push(`state: ${held.join(", ") || "empty"}`);
    return { errors, warnings, violations: [] };
  }

  #judge(): void {
    const evidence = {
      chronicle: this.#chronicle,
      held: this.stack.held(),
      wanted: this.#wanted,
      messages: this.#messages,
    };
    this.#findings.push(...judge(evidence, this.#watches));
  }
}
