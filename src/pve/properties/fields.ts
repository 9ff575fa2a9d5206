/** How one sub-key's text becomes a value and back. Methods, not function properties: a field both reads and writes `T`. */
export interface Field<T> {
  /** `undefined` when the text is no such value. */
  decode(text: string): T | undefined;
  encode(value: T): string;
}

export type ValueOf<F> = F extends Field<infer T> ? T : never;

export function text(): Field<string> {
  return { decode: (raw) => raw, encode: (value) => value };
}

/** One of the words PVE documents. Open on purpose: a newer host may print a word this version does not know. */
export function word<const W extends string>(...words: readonly W[]): WordField<W> {
  return { words, decode: (raw) => raw as W, encode: (value) => value };
}

export interface WordField<W extends string> extends Field<W | (string & {})> {
  /** What PVE documents, for those who validate before they send. */
  readonly words: readonly W[];
}

export function integer(): Field<number> {
  return { decode: (raw) => (/^-?\d+$/.test(raw) ? Number(raw) : undefined), encode: String };
}

export function decimal(): Field<number> {
  return { decode: (raw) => (/^-?(?:\d+\.?\d*|\.\d+)$/.test(raw) ? Number(raw) : undefined), encode: String };
}

/** PVE prints 1 and 0, and keeps what a person wrote (pve-common: src/PVE/JSONSchema.pm, `parse_boolean`). */
export function flag(): Field<boolean> {
  return {
    decode: (raw) => (/^(?:1|on|yes|true)$/i.test(raw) ? true : /^(?:0|off|no|false)$/i.test(raw) ? false : undefined),
    encode: (value) => (value ? "1" : "0"),
  };
}

/** Several values in one sub-key. A comma would end the sub-key, so they are parted by semicolons. */
export function list(): Field<readonly string[]> {
  return { decode: (raw) => raw.split(/[;\s]+/).filter((item) => item !== ""), encode: (items) => items.join(";") };
}
