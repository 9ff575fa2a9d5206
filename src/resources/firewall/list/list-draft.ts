import type { Item } from "./item.ts";
import type { Rule } from "./rule.ts";

/** One call, by positions of the list as it is then, and the list after it. */
export type Step = {
  readonly after: readonly Rule[];
  /** All new rules are in their places, and old ones begin to go. */
  readonly isLeaving: boolean;
} & (
  | { readonly kind: "insert"; readonly rule: Rule }
  /** `to` is the resulting position. */
  | { readonly kind: "move"; readonly from: number; readonly to: number }
  | { readonly kind: "change"; readonly at: number; readonly rule: Rule }
  | { readonly kind: "remove"; readonly at: number }
);

type Call = Step extends infer S ? (S extends Step ? Omit<S, "after" | "isLeaving"> : never) : never;

/** The list as it is after the calls so far. */
export class ListDraft {
  readonly #list: Item[];
  readonly #wanted: readonly Item[];
  readonly steps: Step[] = [];
  isLeaving = false;

  constructor(present: readonly Item[], wanted: readonly Item[]) {
    this.#list = [...present];
    this.#wanted = wanted;
  }

  /** PVE inserts at the top. */
  insert(item: Item, rule: Rule): void {
    item.rule = rule;
    this.#list.unshift(item);
    this.#record({ kind: "insert", rule });
  }

  change(item: Item, rule: Rule): void {
    item.rule = rule;
    this.#record({ kind: "change", at: this.#list.indexOf(item), rule });
  }

  remove(item: Item): void {
    const at = this.#list.indexOf(item);
    this.#list.splice(at, 1);
    this.#record({ kind: "remove", at });
  }

  /** Puts an item behind the last one that comes before it in the new list and stands in its place. */
  moveToPlace(item: Item): void {
    const before = this.#wanted.slice(0, item.place).findLast(({ isPlaced }) => isPlaced);
    const from = this.#list.indexOf(item);
    this.#list.splice(from, 1);
    const to = before === undefined ? 0 : this.#list.indexOf(before) + 1;
    this.#list.splice(to, 0, item);
    item.isPlaced = true;
    if (from !== to) this.#record({ kind: "move", from, to });
  }

  #record(call: Call): void {
    this.steps.push({ ...call, isLeaving: this.isLeaving, after: this.#list.map(({ rule }) => rule) });
  }
}
