/**
 * How the text of one sub-key becomes a value and back. Methods, not function properties: a field both reads and writes
 * `T`.
 */
export interface Field<T> {
  /** `undefined` when the text is not such a value. */
  decode(text: string): T | undefined;
  encode(value: T): string;
}

export type ValueOf<F> = F extends Field<infer T> ? T : never;

export function text(): Field<string> {
  return { decode: (raw) => raw, encode: (value) => value };
}

/** One of the words that PVE documents. Open on purpose: a newer host may print an additional word. */
export function word<const W extends string>(...words: readonly W[]): WordField<W> {
  return { words, decode: (raw) => raw as W, encode: (value) => value };
}

export interface WordField<W extends string> extends Field<W | (string & {})> {
  /** The words that PVE documents, for validation before sending. */
  readonly words: readonly W[];
}

export function integer(): Field<number> {
  return { decode: (raw) => (/^-?\d+$/.test(raw) ? Number(raw) : undefined), encode: String };
}

export function decimal(): Field<number> {
  return { decode: (raw) => (/^-?(?:\d+\.?\d*|\.\d+)$/.test(raw) ? Number(raw) : undefined), encode: String };
}

/** PVE prints 1 and 0, and keeps the user's spelling (pve-common: src/PVE/JSONSchema.pm, `parse_boolean`). */
export function flag(): Field<boolean> {
  return {
    decode: (raw) => (/^(?:1|on|yes|true)$/i.test(raw) ? true : /^(?:0|off|no|false)$/i.test(raw) ? false : undefined),
    encode: (value) => (value ? "1" : "0"),
  };
}

/** Several values in one sub-key, separated by semicolons, since a comma would end the sub-key. */
export function list(): Field<readonly string[]> {
  return { decode: (raw) => raw.split(/[;\s]+/).filter((item) => item !== ""), encode: (items) => items.join(";") };
}
