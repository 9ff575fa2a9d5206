import fc from "fast-check";
import { one } from "./arbitraries.ts";
import { isComplete, pathsOf, type Tree, without } from "./lines.ts";

export interface Transition<Meddling extends string> {
  readonly config: Tree;
  readonly meddling: Meddling;
}

/** A guest from its creation on: what it is made from, its first configuration, and those that follow. */
export interface Transitions<Meddling extends string> {
  readonly source: string;
  readonly first: Tree;
  readonly steps: readonly Transition<Meddling>[];
}

/** How a configuration follows from those before. */
const ways = {
  another: (_past: Past, other: Tree) => other,
  "some blocks of another": ({ before }: Past, other: Tree, picks: readonly number[]) => {
    const names = Object.keys(other);
    const picked = picks.map((pick) => names[pick % names.length] ?? "").filter((name) => name in other);
    return { ...before, ...Object.fromEntries(picked.map((name) => [name, other[name] ?? null])) };
  },
  "some lines less": ({ before }: Past, _other: Tree, picks: readonly number[]) =>
    picks.reduce((rest, pick) => {
      const paths = pathsOf(rest);
      const next = without(rest, paths[pick % paths.length] ?? []);
      return isComplete(next) ? next : rest;
    }, before),
  "back to the first": ({ first }: Past) => first,
  nothing: () => ({}),
} as const;

interface Past {
  readonly first: Tree;
  readonly before: Tree;
}

/** Lives of guests with random configurations, and with what others do between two applies. */
export function transitionsOf<Meddling extends string>(
  sources: readonly string[],
  configs: fc.Arbitrary<Tree>,
  meddlings: readonly (Meddling | "nothing")[],
): fc.Arbitrary<Transitions<Meddling | "nothing">> {
  const steps = fc.array(
    fc.record({
      way: one<keyof typeof ways>(
        "another",
        "some blocks of another",
        "some blocks of another",
        "some lines less",
        "some lines less",
        "back to the first",
        "nothing",
      ),
      other: configs,
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
      meddling: fc.oneof(
        { weight: 1, arbitrary: one(...meddlings) },
        { weight: 1, arbitrary: fc.constant("nothing" as const) },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
  return fc
    .record({
      source: one(...sources),
      first: configs,
      isSparse: fc.boolean(),
      picks: fc.array(fc.nat(), { minLength: 1, maxLength: 8 }),
      steps,
    })
    .map(({ source, first: whole, isSparse, picks, steps: given }) => {
      const first = isSparse ? ways["some blocks of another"]({ first: {}, before: {} }, whole, picks) : whole;
      let config: Tree = first;
      return {
        source,
        first,
        steps: given.map(({ way, other, picks: chosen, meddling }) => {
          config = ways[way]({ first, before: config }, other, chosen);
          return { config, meddling };
        }),
      };
    });
}
