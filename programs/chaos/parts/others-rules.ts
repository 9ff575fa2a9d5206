import { asRule } from "../../../test/contract/firewall/firewall-bench.ts";
import type { Chronicle } from "../chronicle.ts";

export type Rule = ReturnType<typeof asRule>;

/** Who has a list in an apply: a resource of the configuration, one that is being destroyed, or none. */
export type Owner = "configured" | "leaving" | "none";

export const storedRules = ({ world }: Chronicle, key: string): Rule[] =>
  (world.firewall[key]?.rules ?? []).map(asRule);

export const describeRules = (rules: readonly Rule[]): string =>
  JSON.stringify(rules.map((rule) => Object.entries(rule).sort(([a], [b]) => a.localeCompare(b))));

const empty = describeRules([]);

/**
 * What other clients make of lists of rules. A resource takes it back; what they write into a list that no resource has
 * any more is theirs, and stays.
 */
export class OthersRules {
  static readonly #all = new WeakMap<Chronicle, OthersRules>();
  #owners: ReadonlyMap<string, Owner> = new Map();
  /** Lists that they have left since the apply began, by file. */
  #edits = new Map<string, Rule[][]>();
  /** What a list without a resource may be, by file; empty at first. */
  readonly #rightful = new Map<string, readonly string[]>();

  static of(chronicle: Chronicle): OthersRules {
    const known = OthersRules.#all.get(chronicle) ?? new OthersRules();
    OthersRules.#all.set(chronicle, known);
    return known;
  }

  /** An apply begins. */
  begin(owners: ReadonlyMap<string, Owner>): void {
    this.#owners = owners;
    this.#edits = new Map();
    for (const [key, owner] of owners) if (owner !== "none") this.#rightful.delete(key);
  }

  note(key: string, before: readonly Rule[], after: Rule[]): void {
    this.#edits.set(key, [...this.edits(key), after]);
    const owner = this.#owners.get(key) ?? "none";
    // Rules that a resource still has are ours, and so is what is written between them.
    if (owner === "configured" || !this.mayBe(key, before)) return;
    // An empty list may have left its resource already, or be about to.
    const other = owner === "leaving" ? this.#rightfulOf(key) : [];
    this.#rightful.set(key, [...other, describeRules(after)]);
  }

  edits(key: string): readonly Rule[][] {
    return this.#edits.get(key) ?? [];
  }

  /** Whether these rules may be in a list that no resource has. */
  mayBe(key: string, rules: readonly Rule[]): boolean {
    return this.#rightfulOf(key).includes(describeRules(rules));
  }

  /** The list that is right if no resource has it, for a message. */
  expected(key: string): string {
    return this.#rightfulOf(key).join(" or ");
  }

  #rightfulOf(key: string): readonly string[] {
    return this.#rightful.get(key) ?? [empty];
  }
}
