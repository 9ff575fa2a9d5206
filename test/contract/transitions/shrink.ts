import { pathsOf, type Tree, without } from "./lines.ts";

/** A case that fails, as a tree of plain data. */
export interface Shrinkable {
  readonly first: Tree;
  readonly steps: readonly { readonly config: Tree; readonly meddling: string }[];
}

/** The case with one thing less each: a step, what others did, a block, a line. Large things come first. */
function* smaller<T extends Shrinkable>(given: T): Generator<T> {
  const { first, steps } = given;
  for (const index of steps.keys()) yield { ...given, steps: steps.filter((_, at) => at !== index) };
  const withStep = (index: number, more: object) =>
    ({ ...given, steps: steps.map((step, at) => (at === index ? { ...step, ...more } : step)) }) as T;
  for (const [index, { meddling }] of steps.entries()) {
    if (meddling !== "nothing") yield withStep(index, { meddling: "nothing" });
  }
  const byDepth = (tree: Tree) => pathsOf(tree).sort((a, b) => a.length - b.length);
  for (const path of byDepth(first)) yield { ...given, first: without(first, path) };
  for (const [index, { config }] of steps.entries()) {
    for (const path of byDepth(config)) yield withStep(index, { config: without(config, path) });
  }
}

/** Takes away whatever is not needed for the case to fail. */
export async function shrink<T extends Shrinkable>(given: T, isFailing: (smaller: T) => Promise<boolean>): Promise<T> {
  let smallest = given;
  for (let index = 0; ; ) {
    const candidate = [...smaller(smallest)][index];
    if (candidate === undefined) return smallest;
    if (await isFailing(candidate)) smallest = candidate;
    else index += 1;
  }
}
