import { longestRun } from "./longest-run.ts";
import { keyOf, type Rule } from "./rule.ts";

/** A rule on its way from the old list to the new one. */
export interface Item {
  /** As it is in the list now. */
  rule: Rule;
  /** As it will be; null: it goes. */
  goal: Rule | null;
  /** Its index in the old list; -1: it is new. */
  readonly origin: number;
  /** Its index in the new list; -1: it goes. */
  place: number;
  /** Whether it stands where it has to, relative to all others that do. */
  isPlaced: boolean;
  /** Its final place is below others that are below it now. */
  readonly isSinking: boolean;
  /** It becomes another rule where it stands. */
  isReplaced: boolean;
}

/** Both lists as items: rules that decide the same are one item, and as many as possible stay where they are. */
export function pairUp(
  old: readonly Rule[],
  desired: readonly Rule[],
): { readonly present: Item[]; readonly wanted: Item[] } {
  const free = Map.groupBy(old.keys(), (index) => keyOf(old[index] as Rule));
  const origins = desired.map((rule) => free.get(keyOf(rule))?.shift() ?? -1);
  const kept = origins.flatMap((origin, place) => (origin < 0 ? [] : [{ origin, place }]));
  const fixed = new Set([...longestRun(kept.map(({ origin }) => origin))].map((index) => kept[index]?.origin ?? -1));
  const above = (origin: number) => [...fixed].filter((index) => index < origin).length;
  let fixedAbove = 0;
  const present: Item[] = [];
  const wanted = desired.map((goal, place) => {
    const origin = origins[place] ?? -1;
    const isPlaced = fixed.has(origin);
    const isSinking = origin >= 0 && !isPlaced && fixedAbove > above(origin);
    const item = { rule: old[origin] ?? goal, goal, origin, place, isPlaced, isSinking, isReplaced: false };
    if (isPlaced) fixedAbove++;
    if (origin >= 0) present[origin] = item;
    return item;
  });
  for (const [origin, rule] of old.entries()) present[origin] ??= leaving(rule, origin);
  return { present, wanted };
}

const leaving = (rule: Rule, origin: number): Item => ({
  rule,
  goal: null,
  origin,
  place: -1,
  isPlaced: false,
  isSinking: false,
  isReplaced: false,
});
