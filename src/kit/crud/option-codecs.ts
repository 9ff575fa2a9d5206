import type { Type } from "#framework";
import type { ListLine, OptionCodec, OptionCodecs, PackedLine } from "../wire/codecs.ts";
import type { RawConfig } from "../wire/config-draft.ts";
import { placeOf } from "../wire/place.ts";
import { type WiredAttribute, wiredIn } from "../wire/wired.ts";
import { itemBreak } from "./each.ts";

/** What the options of an object are: plain, lists, arrays, or lines of sub-keys. All of it follows from the attributes. */
export class ObjectOptions implements OptionCodecs {
  readonly #codecs = new Map<string, OptionCodec>();
  readonly #repeated = new Set<string>();
  readonly #sets = new Set<string>();
  readonly #separators = new Map<string, string>();

  constructor(attributes: { readonly [name: string]: WiredAttribute }) {
    const wired = wiredIn(attributes).map((attribute) => ({ ...attribute, ...placeOf(attribute.wire ?? "", null) }));
    for (const { option, key, type, repeated, separator = "," } of wired) {
      const bare = wired.find((other) => other.option === option && other.isDefaultKey)?.key;
      if (key !== null) this.#codecs.set(option, packed(bare));
      else if (isCollection(type)) this.#codecs.set(option, listOf(repeated ? itemBreak : separator));
      if (separator !== ",") this.#separators.set(option, separator);
      if (repeated) this.#repeated.add(option);
      if (key === null && type.shape.kind === "set") this.#sets.add(option);
    }
  }

  codecOf(option: string): OptionCodec | null {
    return this.#codecs.get(option) ?? null;
  }

  /** An answer of PVE as a configuration of plain options: objects as lines, arrays as lists, booleans as digits. */
  normalise(found: Readonly<Record<string, unknown>>): RawConfig {
    const entries = Object.entries(found).flatMap(([option, value]) => {
      const raw = this.#normaliseValue(option, value);
      return raw === null ? [] : [[option, raw] as const];
    });
    return Object.fromEntries(entries);
  }

  #normaliseValue(option: string, value: unknown): string | number | null {
    if (value === null || value === undefined) return null;
    if (typeof value === "boolean") return value ? 1 : 0;
    if (Array.isArray(value)) {
      const plain = value.map((item) => (isRecord(item) ? printLine(Object.entries(item)) : item));
      const items = this.#sets.has(option) ? plain.sort() : plain;
      return items.join(this.#repeated.has(option) ? itemBreak : (this.#separators.get(option) ?? ","));
    }
    if (typeof value === "object") return printLine(Object.entries(value));
    if (this.#sets.has(option) && typeof value === "string") {
      return split(value, ",")
        .sort()
        .join(this.#separators.get(option) ?? ",");
    }
    return value as string | number;
  }

  /** What a call sends for an option of a patch. */
  toParameter(option: string, raw: string | number): string | number | { readonly each: readonly string[] } {
    return this.#repeated.has(option) ? { each: split(String(raw), itemBreak) } : raw;
  }
}

const isRecord = (value: unknown): value is object => typeof value === "object" && value !== null;

const isCollection = ({ shape }: Type): boolean => shape.kind === "set" || shape.kind === "list";

const split = (text: string, separator: string): string[] =>
  text.split(separator === itemBreak ? separator : /[,;\s\0]+/).filter(Boolean);

function listOf(separator: string): OptionCodec {
  const line = (items: readonly string[]): ListLine => ({
    items,
    with: (others) => line(others.map(String)),
    toString: () => items.join(separator),
  });
  return { parse: (text) => line(split(text, separator)) };
}

/** `keep-last=3,keep-daily=7`: sub-keys that no attribute stands for stay as they are. */
function packed(defaultKey: string | null | undefined): OptionCodec {
  const line = (parts: readonly (readonly [key: string, value: string])[]): PackedLine => ({
    values: Object.fromEntries(parts),
    with: (changes) => {
      const changed = Object.entries(changes).filter(([key, value]) => value === undefined || !has(parts, key, value));
      const kept = parts.filter(([key]) => !changed.some(([name]) => name === key));
      const added = changed.flatMap(([key, value]) => (value === undefined ? [] : [[key, text(value)] as const]));
      return line([...kept, ...added]);
    },
    toString: () => printLine(parts),
  });
  const parse = (part: string): readonly [string, string] =>
    part.includes("=") ? [part.replace(/=.*/s, ""), part.replace(/^[^=]*=/, "")] : [defaultKey ?? part, part];
  return { parse: (whole) => line(whole.split(",").filter(Boolean).map(parse)) };
}

/** A list inside a line has another separator than the line. */
const text = (value: unknown): string =>
  typeof value === "boolean" ? String(Number(value)) : Array.isArray(value) ? value.join(";") : String(value);

const has = (parts: readonly (readonly [string, string])[], key: string, value: unknown): boolean =>
  parts.some(([name, now]) => name === key && now === text(value));

const printLine = (parts: readonly (readonly [string, unknown])[]): string =>
  parts.map(([key, value]) => `${key}=${text(value)}`).join(",");
