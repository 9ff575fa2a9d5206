import type { Check } from "./type.ts";

/** `hint` completes "must be …": `matches(/^[a-z]+$/, "lower-case letters")`. */
export const matches =
  (pattern: RegExp, hint: string): Check<string> =>
  (value) =>
    pattern.test(value) ? undefined : `Must be ${hint}.`;

export const lengthBetween =
  (min: number, max: number): Check<string> =>
  (value) =>
    value.length >= min && value.length <= max ? undefined : `Must be ${min} to ${max} characters long.`;

export const isOneOf =
  <W extends string>(words: readonly W[]): Check<W> =>
  (value) =>
    words.includes(value) ? undefined : `Must be one of ${words.map((word) => `"${word}"`).join(", ")}.`;

export const atLeast =
  (min: number): Check<number> =>
  (value) =>
    value >= min ? undefined : `Must be at least ${min}.`;

export const atMost =
  (max: number): Check<number> =>
  (value) =>
    value <= max ? undefined : `Must be at most ${max}.`;

export const itemsAtLeast =
  (min: number): Check<object> =>
  (value) =>
    Object.keys(value).length >= min ? undefined : `Must have at least ${min} element${min === 1 ? "" : "s"}.`;

export const itemsAtMost =
  (max: number): Check<object> =>
  (value) =>
    Object.keys(value).length <= max ? undefined : `Must have at most ${max} element${max === 1 ? "" : "s"}.`;

/** Of elements that mean the same, a server keeps one. */
export const eachDiffers =
  (same: (a: unknown, b: unknown) => boolean): Check<readonly unknown[]> =>
  (value) => {
    const known = value.filter((element) => element !== undefined);
    for (const [index, element] of known.entries()) {
      const twin = known.slice(0, index).find((other) => same(other, element));
      if (twin !== undefined) return `\`${twin}\` and \`${element}\` mean the same. Remove one of them.`;
    }
    return undefined;
  };

/** The first key that is not what `check` says. */
export const eachKey =
  (check: Check<string>): Check<object> =>
  (value) => {
    for (const key of Object.keys(value)) {
      const problem = check(key);
      if (problem !== undefined) return `\`${key}\` is not a valid key. ${problem}`;
    }
    return undefined;
  };
