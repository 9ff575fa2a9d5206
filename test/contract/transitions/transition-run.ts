import fc from "fast-check";
import { expect } from "vitest";
import { type Input, type Instance, isBug, type ManagedResource, ProviderErrors } from "../../harness/index.ts";
import { attribute } from "../resource-bench.ts";
import type { Bench } from "../vm/suite.ts";
import type { Transitions } from "./arbitrary-transitions.ts";
import type { Tree } from "./lines.ts";
import { shrink } from "./shrink.ts";

type Options = Readonly<Record<string, string>>;

/** What one kind of guest adds to the common rules. */
export interface GuestRules<Meddling extends string> {
  readonly noun: string;
  readonly bench: Bench;
  readonly resource: ManagedResource;
  /** The option that holds the name. */
  readonly nameOption: string;
  /** The configuration of a guest of this name, made from this source. */
  written(source: string, name: string, config: Tree): Tree;
  /** The next configuration, as far as the one before lets it. */
  following(before: Tree, after: Tree): Tree;
  meddle(what: Meddling, vmid: number): unknown;
  /** Whether the guest can still become what its source alone makes. */
  isUndoable(given: Transitions<Meddling>): boolean;
  /** The server's options of a guest, without what cannot be undone. */
  final(vmid: number): Options;
  /** Whether a plan that named these attributes said that the option stays. */
  isSaid(option: string, staying: readonly string[]): boolean;
  /** Whether a volume is the guest's, and must not outlive it. */
  isOwn(volid: string, vmid: number): boolean;
  /** Whether PVE itself forgets such a volume of a guest, after what others did to it. */
  isForgotten?(volid: string, given: Transitions<Meddling>): boolean;
}

/** A run that is cut into portions stops then, and says how many cases it did. */
const end = process.env["MINUTES"] ? Date.now() + Number(process.env["MINUTES"]) * 60_000 : Number.POSITIVE_INFINITY;

/** Whether others meddle between the plan and its apply, as with a plan that is stored and approved. */
const isLate = process.env["LATE"] === "1";

/** The same problem with other names and numbers counts as the same. */
const kindOf = (problem: string | null) => problem?.replaceAll(/[\d"].*?\b/g, "").slice(0, 80);

const log = (line: string) => process.stderr.write(`${line}\n`);

/** Leads guests through their transitions, and collects what goes wrong. */
export class TransitionRun<Meddling extends string> {
  readonly #rules: GuestRules<Meddling>;
  readonly #counts = { applied: 0, refused: 0, undone: 0 };
  readonly #refusals: Record<string, number> = {};
  readonly #plain = new Map<string, Options>();
  /** Attributes that a plan of the case at hand said will keep their values. */
  #staying: string[] = [];
  #count = 0;

  constructor(rules: GuestRules<Meddling>) {
    this.#rules = rules;
  }

  /** `ONLY` selects cases of a run, to look into findings; `SHRINK=1` makes them as small as possible. */
  async run(lives: fc.Arbitrary<Transitions<Meddling>>, cases: number, seed: number): Promise<void> {
    const only = process.env["ONLY"]?.split(",");
    const kinds = new Set<string | undefined>();
    const findings: { index: number; problem: string }[] = [];
    let done = 0;
    for (const [index, given] of fc.sample(lives, { numRuns: cases, seed }).entries()) {
      if (only !== undefined && !only.includes(String(index))) continue;
      if (Date.now() > end) break;
      done += 1;
      const problem = await this.#problemOf(given);
      if (problem === null) continue;
      findings.push({ index, problem });
      log(`case ${index}: ${problem.slice(0, 300)}`);
      const isNew = !kinds.has(kindOf(problem));
      kinds.add(kindOf(problem));
      if (only !== undefined || (process.env["SHRINK"] && isNew)) await this.#explain(given, problem);
    }
    const { noun } = this.#rules;
    log(`seed ${seed}: ${done} ${noun}s, ${JSON.stringify(this.#counts)}, ${findings.length} findings`);
    log(`refused: ${JSON.stringify(this.#refusals)}`);
    expect(findings).toEqual([]);
    // Otherwise the rules were hardly put to the test.
    expect(this.#counts.applied).toBeGreaterThan(this.#counts.refused);
  }

  /** A plan may refuse with a reason; what it lets through must work, and be settled afterwards. */
  async #plan(prior: Instance | null, config: Input) {
    try {
      const planned = await this.#rules.resource.plan(prior, config);
      const said = (planned.warnings ?? []).filter(({ summary }) => /^Values? stays? as/.test(summary));
      const named = said.flatMap(({ detail }) => [...detail.matchAll(/`(\w+)[.[`]/g)].map(([, name = ""]) => name));
      this.#staying.push(...named);
      return planned;
    } catch (reason) {
      if (!(reason instanceof ProviderErrors) || isBug(reason)) throw reason;
      this.#counts.refused += 1;
      for (const { summary } of reason.diagnostics) this.#refusals[summary] = (this.#refusals[summary] ?? 0) + 1;
      return null;
    }
  }

  /** Applies a plan that others have made stale meanwhile. It may fail with a reason; the next run must do the rest. */
  async #applyLate(prior: Instance, config: Input, meddle: () => unknown): Promise<Instance> {
    const { bench, resource } = this.#rules;
    const planned = await this.#plan(prior, config);
    await meddle();
    await bench.configure();
    if (planned === null) return prior;
    const applied = await resource.apply(planned, config).catch((reason: unknown) => {
      if (!(reason instanceof ProviderErrors) || isBug(reason)) throw reason;
      return reason.remains ?? prior;
    });
    await bench.configure();
    return applied;
  }

  async #apply(prior: Instance | null, config: Input): Promise<Instance | null> {
    const { resource } = this.#rules;
    const planned = await this.#plan(prior, config);
    if (planned === null) return null;
    const applied = await resource.apply(planned, config);
    await resource.expectSettled(applied, config);
    this.#counts.applied += 1;
    return applied;
  }

  /** What a source makes without any line. */
  async #plainOf(source: string): Promise<Options> {
    const known = this.#plain.get(source);
    if (known) return known;
    const { resource, written, final } = this.#rules;
    const made = await resource.create(written(source, `plain-of-${source.replace(/\W/g, "-")}`, {}));
    const found = final(Number(attribute(made, "vmid")));
    this.#plain.set(source, found);
    await resource.destroy(made);
    return found;
  }

  /** A finding names the options. */
  #expectAlike(mine: Options, plain: Options): void {
    const options = [...new Set([...Object.keys(mine), ...Object.keys(plain)])];
    const differences = options.filter(
      (option) => mine[option] !== plain[option] && !this.#rules.isSaid(option, this.#staying),
    );
    const lines = differences.map((option) => `${option}: ${mine[option]}, in a plain one ${plain[option]}`);
    if (lines.length > 0) throw new Error(`not undone: ${lines.join("; ")}`);
  }

  async #live(given: Transitions<Meddling>, name: string): Promise<void> {
    const { bench, resource, written, following, meddle } = this.#rules;
    const { source, first, steps } = given;
    let instance = await this.#apply(null, written(source, name, first));
    if (instance === null) return;
    const vmid = Number(attribute(instance, "vmid"));
    let previous = first;
    for (const { config, meddling } of steps) {
      const next = following(previous, config);
      const wanted = written(source, name, next);
      if (isLate) {
        instance = await this.#applyLate(await resource.refresh(instance), wanted, () => meddle(meddling, vmid));
      } else {
        await meddle(meddling, vmid);
        await bench.configure();
      }
      const updated = await this.#apply(await resource.refresh(instance), wanted);
      instance = updated ?? instance;
      previous = updated ? next : previous;
    }
    if (this.#rules.isUndoable(given)) instance = await this.#undo(given.source, name, instance, vmid);
    if (bench.config(vmid)["protection"] === "1") {
      await expect(resource.destroy(await resource.refresh(instance))).rejects.toThrow(/protect/);
      delete bench.guest(vmid).config["protection"];
      await bench.configure();
    }
    await resource.destroy(await resource.refresh(instance));
    expect(bench.has(vmid)).toBe(false);
    const { world } = bench.simulator.sim;
    const { isOwn, isForgotten = () => false } = this.#rules;
    world.volumes = world.volumes.filter(({ volid }) => !(isOwn(volid, vmid) && isForgotten(volid, given)));
    const left = world.volumes.map(({ volid }) => volid).filter((volid) => isOwn(volid, vmid));
    if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
  }

  /** All lines leave at once. */
  async #undo(source: string, name: string, instance: Instance, vmid: number): Promise<Instance> {
    const { resource, written, final, nameOption } = this.#rules;
    const bare = await this.#apply(await resource.refresh(instance), written(source, name, { power: "stopped" }));
    if (bare === null) return instance;
    this.#counts.undone += 1;
    this.#expectAlike(final(vmid), { ...(await this.#plainOf(source)), [nameOption]: name });
    return bare;
  }

  /** What goes wrong; null: nothing does. */
  async #problemOf(given: Transitions<Meddling>): Promise<string | null> {
    this.#count += 1;
    this.#staying = [];
    const { guests } = this.#rules.bench.simulator.sim.world;
    await this.#plainOf(given.source);
    const others = Object.values(guests).map((guest) => [guest, { ...guest.config }] as const);
    const problem = await this.#live(given, `moving-${this.#count}`).then(
      () => null,
      (reason: unknown) => String(reason).slice(0, 900),
    );
    for (const [guest, config] of others) guest.config = config;
    if (problem !== null) this.#clearAway(others.map(([{ vmid }]) => vmid));
    return problem;
  }

  /** What a case with a problem leaves behind must not be a problem of the next one. */
  #clearAway(others: readonly number[]): void {
    const { bench } = this.#rules;
    const { world } = bench.simulator.sim;
    for (const vmid of bench.vmids()) if (!others.includes(vmid)) delete world.guests[vmid];
    for (const pool of Object.values(world.access.pools)) pool.vms = pool.vms.filter((vmid) => others.includes(vmid));
    world.ha.resources = {};
    world.volumes = world.volumes.filter(
      ({ vmid, volid }) => !/cloud-init-/.test(volid) && (vmid === undefined || others.includes(vmid)),
    ) as typeof world.volumes;
  }

  /** The smallest case with the same problem. */
  async #explain(given: Transitions<Meddling>, problem: string): Promise<void> {
    const same = async (candidate: Transitions<Meddling>) =>
      kindOf(await this.#problemOf(candidate)) === kindOf(problem);
    const smallest = process.env["SHRINK"] ? await shrink(given, same) : given;
    log(`${problem}\n${JSON.stringify(smallest, null, 1)}`);
  }
}
