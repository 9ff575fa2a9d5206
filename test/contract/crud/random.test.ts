import { afterAll, expect, test } from "vitest";
import { Dice } from "../../../programs/chaos/dice.ts";
import { type Input, type Instance, type Plan, ProviderErrors } from "../../harness/index.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { isUnforeseeable, openRowsBench } from "./bench.ts";
import { handRows } from "./hand-rows.ts";
import { type Values, withValue } from "./row.ts";
import { type Case, casesOf, rows } from "./rows.ts";
import { settingsRows } from "./settings-rows.ts";

/** `npm run fuzz:definitions` for the full run of 1,000; `SEED=3 CASES=250 ONLY=12` repeats one case. */
const seed = Number(process.env["SEED"] ?? 1);
const count = Number(process.env["CASES"] ?? 12);
const only = process.env["ONLY"] === undefined ? null : Number(process.env["ONLY"]);

const kinds = casesOf([...rows, ...settingsRows, ...handRows]);

let bench: ResourceBench | undefined;
afterAll(() => bench?.close());

async function fresh(): Promise<ResourceBench> {
  await bench?.close();
  bench = await openRowsBench({ as: "root@pam", speed: 2000 });
  for (const { prepare } of kinds) prepare?.(bench.simulator.sim.world);
  return bench;
}

/** The least configuration with some of the attributes, each with one of its two values. */
function anyConfig({ base, values }: Case, dice: Dice): Values {
  const share = dice.pick([0.2, 0.5, 0.8, 1]);
  return Object.entries(values).reduce<Values>(
    (config, [path, both]) => (dice.chance(share) ? withValue(config, path, dice.pick(both)) : config),
    base,
  );
}

/** One line less: an attribute, or a member of an object. */
function without(config: Values, base: Values, dice: Dice): Values {
  const lines = Object.entries(config).flatMap(([name, value]) => {
    const given = base[name];
    if (given === undefined) return [[name]];
    if (!isObject(value) || !isObject(given)) return [];
    return Object.keys(value).flatMap((member) => (member in given ? [] : [[name, member]]));
  });
  if (lines.length === 0) return config;
  const [name = "", member] = dice.pick(lines);
  if (member === undefined) return Object.fromEntries(Object.entries(config).filter(([one]) => one !== name));
  const members = Object.entries(config[name] as Values).filter(([one]) => one !== member);
  return { ...config, [name]: Object.fromEntries(members) };
}

const isObject = (value: Input | undefined): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const tally = { applied: 0, refused: 0 };

/** An object, the configurations that it goes through, and what has become of it. */
class Life {
  readonly kind: Case;
  readonly configs: readonly Values[];
  readonly #among: ResourceBench;
  isOver = false;
  finding: string | null = null;
  #now: Instance | null = null;
  #plan: Plan | null = null;

  constructor(kind: Case, dice: Dice, among: ResourceBench) {
    const [first, second] = [anyConfig(kind, dice), anyConfig(kind, dice)];
    this.kind = kind;
    this.configs = [first, second, without(second, kind.base, dice), kind.base, second, first];
    this.#among = among;
  }

  get #resource() {
    return this.#among.resource(this.kind.type);
  }

  /** What the plan refuses is not done. */
  async plan(step: number): Promise<void> {
    const prior = this.#now && (await this.#resource.refresh(this.#now));
    this.#plan = await this.#resource.plan(prior, this.configs[step] ?? null).catch(ifRefused);
    tally[this.#plan === null ? "refused" : "applied"] += 1;
  }

  async apply(): Promise<void> {
    if (this.#plan !== null) this.#now = await this.#resource.apply(this.#plan);
  }

  async settle(step: number): Promise<void> {
    if (this.#plan !== null && this.#now !== null)
      await this.#resource.expectSettled(this.#now, this.configs[step] ?? null);
  }

  async destroy(): Promise<void> {
    if (this.#now !== null) await this.#resource.destroy(this.#now);
  }
}

function ifRefused(reason: unknown): null {
  if (reason instanceof ProviderErrors) return null;
  throw reason;
}

/** One command of Terraform for all of them; who has failed takes no further part. */
async function together(lives: readonly Life[], about: string, work: (life: Life) => Promise<void>): Promise<void> {
  const those = lives.filter(({ isOver }) => !isOver);
  await Promise.all(
    those.map((life) =>
      work(life).catch((reason: unknown) => {
        life.isOver = true;
        if (isUnforeseeable(reason)) return;
        life.finding = `${life.kind.type} ${about}: ${String(reason)} in ${JSON.stringify(life.configs)}`;
      }),
    ),
  );
}

async function leadThrough(lives: readonly Life[]): Promise<string[]> {
  const steps = lives[0]?.configs.length ?? 0;
  for (let step = 0; step < steps; step += 1) {
    await together(lives, `plan ${step}`, (life) => life.plan(step));
    await together(lives, `apply ${step}`, (life) => life.apply());
    await together(lives, `second plan ${step}`, (life) => life.settle(step));
  }
  await together(lives, "destroy", (life) => life.destroy());
  return lives.flatMap(({ finding }) => finding ?? []);
}

/** Up to four objects of different types at once. */
function someKinds(dice: Dice): Case[] {
  const chosen = Array.from({ length: dice.int(1, 4) }, () => dice.pick(kinds));
  return [...new Map(chosen.map((kind) => [kind.type, kind])).values()];
}

test(
  "objects of all kinds become any others, and go: each plan is kept, and the second is empty",
  async () => {
    const findings: string[] = [];
    let among = await fresh();
    for (let index = 0; index < count; index += 1) {
      if (only !== null && index !== only) continue;
      const dice = new Dice(seed * 100_003 + index);
      const lives = someKinds(dice).map((kind) => new Life(kind, dice, among));
      const found = await leadThrough(lives);
      findings.push(...found.map((one) => `SEED=${seed} ONLY=${index}: ${one}`));
      if (lives.some(({ isOver }) => isOver)) among = await fresh();
      else await among.configure();
    }
    process.stderr.write(`${tally.applied} applied, ${tally.refused} refused, ${findings.length} findings\n`);
    expect(findings).toEqual([]);
  },
  60_000 + count * 10_000,
);
