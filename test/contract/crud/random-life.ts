import type { Dice } from "../../../programs/chaos/dice.ts";
import { type Input, type Instance, isBug, type Plan, ProviderErrors } from "../../harness/index.ts";
import type { ResourceBench } from "../resource-bench.ts";
import { type Values, withValue } from "./row.ts";
import type { Case } from "./rows.ts";

/** What others do to an object between two applies: the other configuration is theirs. */
type Meddling = "nothing" | "change" | "remove";

export const tally = { applied: 0, refused: 0, changed: 0, removed: 0 };

/** An object, the configurations that it goes through, what others do to it meanwhile, and what has become of it. */
export class Life {
  readonly kind: Case;
  readonly configs: readonly Values[];
  readonly meddlings: readonly { readonly what: Meddling; readonly theirs: Values }[];
  readonly #among: ResourceBench;
  isOver = false;
  finding: string | null = null;
  #now: Instance | null = null;
  #plan: Plan | null = null;

  constructor(kind: Case, dice: Dice, among: ResourceBench) {
    const [first, second] = [anyConfig(kind, dice), anyConfig(kind, dice)];
    this.kind = kind;
    this.configs = [first, second, without(second, kind.base, dice), kind.base, second, first];
    this.meddlings = this.configs.map(() => ({
      what: dice.pick<Meddling>(["nothing", "nothing", "change", "change", "remove"]),
      theirs: anyConfig(kind, dice),
    }));
    this.#among = among;
  }

  get #resource() {
    return this.#among.resource(this.kind.type);
  }

  /** What the plan refuses is not done. */
  async plan(step: number): Promise<void> {
    if (this.#now !== null) this.#now = await this.#resource.find(this.#now);
    this.#plan = await this.#resource.plan(this.#now, this.configs[step] ?? null).catch(ifRefused);
    tally[this.#plan === null ? "refused" : "applied"] += 1;
  }

  async apply(): Promise<void> {
    if (this.#plan !== null) this.#now = await this.#resource.apply(this.#plan);
  }

  /** Applies a plan that others have made stale meanwhile. It may fail with a reason; the next run must do the rest. */
  async applyLate(): Promise<void> {
    if (this.#plan === null) return;
    const found = await this.#resource.apply(this.#plan).catch((reason) => ifRefused(reason) ?? reason.remains);
    this.#now = found ?? this.#now;
  }

  async settle(step: number): Promise<void> {
    if (this.#plan !== null && this.#now !== null)
      await this.#resource.expectSettled(this.#now, this.configs[step] ?? null);
  }

  async destroy(): Promise<void> {
    const found = this.#now && (await this.#resource.find(this.#now));
    if (found !== null) await this.#resource.destroy(found);
  }

  /** Another user changes the object, or removes it; what is refused has not happened. */
  async meddle(step: number): Promise<void> {
    const { what, theirs } = this.meddlings[step] ?? { what: "nothing", theirs: {} };
    if (this.#now === null || what === "nothing") return;
    const found = await this.#resource.find(this.#now);
    if (found === null) return;
    if (what === "remove") {
      await this.#resource.destroy(found).catch(ifRefused);
      tally.removed += 1;
      return;
    }
    const plan = await this.#resource.plan(found, theirs).catch(ifRefused);
    if (plan === null || plan.action !== "update") return;
    await this.#resource.apply(plan).catch(ifRefused);
    tally.changed += 1;
  }
}

function ifRefused(reason: unknown): null {
  if (reason instanceof ProviderErrors && !isBug(reason)) return null;
  throw reason;
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
