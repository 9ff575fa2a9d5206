import { PveError } from "../errors.ts";
import type { Field, ValueOf } from "./fields.ts";

/**
 * PVE packs a device into one line: `virtio=BC:24:11:00:00:01,bridge=vmbr0,firewall=1`. A codec reads such a line into
 * typed values and prints it again. Unchanged parts are printed byte by byte, including unknown sub-keys: order,
 * spelling of booleans, a default key with or without its name.
 * Server side: pve-common `src/PVE/JSONSchema.pm`, `parse_property_string` and `print_property_string`.
 */
export interface PropertyCodec<V extends object> {
  parse(line: string): PropertyString<V>;
  /** A new line, printed the way PVE would: default key first and without its name, the rest by name. */
  from(values: V): PropertyString<V>;
  print(values: V): string;
}

export type ValuesOf<C> = C extends PropertyCodec<infer V> ? V : never;

/** Values to set; an explicit `undefined` removes the sub-key. */
export type Changes<V> = { readonly [K in keyof V]?: V[K] | undefined };

type Fields = Readonly<Record<string, Field<unknown>>>;
type Values<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> };

interface Layout {
  readonly fields: Fields;
  /** The sub-key that may be given without its name. */
  readonly defaultKey?: string | undefined;
  /** Other names PVE accepts, by alias. */
  readonly aliases: Readonly<Record<string, string>>;
  /** `virtio=<mac>` is `model=virtio,macaddr=<mac>`: values of the default key that include this sub-key. */
  readonly glue?: { readonly key: string; readonly to: readonly string[] } | undefined;
}

/**
 * One sub-key in the line. `key` is null for a value without a name, and for the blank that PVE prints for an empty
 * line.
 */
interface Part {
  readonly key: string | null;
  readonly raw: string;
  /** Printed after the previous part with `=` instead of a comma and its name. */
  readonly isGlued?: boolean;
}

/** Declares a codec from its sub-keys. */
export function propertyString<F extends Fields>(shape: {
  readonly fields: F;
  readonly defaultKey?: keyof F & string;
  readonly aliases?: Readonly<Record<string, keyof F & string>>;
  readonly glue?: { readonly key: keyof F & string; readonly to: readonly string[] };
}): PropertyCodec<Values<F>> {
  const { fields, defaultKey, aliases = {}, glue } = shape;
  const layout: Layout = { fields, defaultKey, aliases, glue };
  const from = (values: Values<F>) => new PropertyString<Values<F>>(layout, []).with(values);
  return {
    parse: (line) => new PropertyString<Values<F>>(layout, splitLine(layout, line)),
    from,
    print: (values) => from(values).toString(),
  };
}

/** A parsed line and its values. Immutable: `with` creates another. */
export class PropertyString<V extends object> {
  readonly values: Readonly<V>;
  /** Sub-keys without a field in the codec, as they are in the line. */
  readonly unknown: Readonly<Record<string, string>>;
  readonly #layout: Layout;
  readonly #parts: readonly Part[];

  constructor(layout: Layout, parts: readonly Part[]) {
    this.#layout = layout;
    this.#parts = parts;
    const { values, unknown } = readParts(layout, parts);
    this.values = values as V;
    this.unknown = unknown;
  }

  /** The line with these sub-keys changed: existing ones in place, new ones at the end. */
  with(changes: Changes<V>): PropertyString<V> {
    let parts = this.#parts;
    for (const name of inPrintedOrder(Object.keys(changes) as (keyof V & string)[], this.#layout)) {
      if (!isSame(changes[name], this.values[name])) {
        parts = setPart(this.#layout, parts, name, changes[name]);
      }
    }
    return new PropertyString<V>(this.#layout, parts);
  }

  toString(): string {
    return this.#parts.reduce((line, { key, raw, isGlued }, index) => {
      const comma = index === 0 ? "" : ",";
      return line + (isGlued ? `=${raw}` : key === null ? comma + raw : `${comma}${key}=${raw}`);
    }, "");
  }
}

function splitLine({ glue }: Layout, line: string): Part[] {
  return line.split(",").flatMap((part): Part[] => {
    const equals = part.indexOf("=");
    if (equals < 1) {
      return [{ key: null, raw: part }];
    }
    const [key, raw] = [part.slice(0, equals), part.slice(equals + 1)];
    return glue?.to.includes(key)
      ? [
          { key: null, raw: key },
          { key: glue.key, raw, isGlued: true },
        ]
      : [{ key, raw }];
  });
}

function isBlank({ key, raw }: Part): boolean {
  return key === null && raw.trim() === "";
}

/** The sub-key of a part, under any of its names. */
function nameOf({ defaultKey, aliases }: Layout, { key }: Part): string | undefined {
  return key === null ? defaultKey : (aliases[key] ?? key);
}

function readParts(layout: Layout, parts: readonly Part[]) {
  const values: Record<string, unknown> = {};
  const unknown: Record<string, string> = {};
  for (const part of parts.filter((candidate) => !isBlank(candidate))) {
    const name = nameOf(layout, part);
    if (name === undefined) {
      throw new PveError("malformed", `"${part.raw}" has no name, and this option has no default sub-key`);
    }
    const field = Object.hasOwn(layout.fields, name) ? layout.fields[name] : undefined;
    const value = field?.decode(part.raw);
    if (field === undefined) {
      unknown[name] = part.raw;
    } else if (value === undefined) {
      throw new PveError("malformed", `"${part.raw}" is not a value of the sub-key ${name}`);
    } else {
      values[name] = value;
    }
  }
  return { values, unknown };
}

function setPart(layout: Layout, parts: readonly Part[], name: string, value: unknown): readonly Part[] {
  const at = parts.findIndex((part) => !isBlank(part) && nameOf(layout, part) === name);
  const current = parts[at];
  if (value === undefined) {
    return removeAt(parts, at);
  }
  const raw = layout.fields[name]?.encode(value) ?? String(value);
  // A value that contains an equals sign would be read as a name and a value if it had no name, and a lone 0 is empty
  // to Perl: `startup: 0` is refused (pve-common: src/PVE/JSONSchema.pm, `pve_parse_startup_order`).
  const bareKey = raw.includes("=") || raw === "0" ? name : null;
  if (current !== undefined) {
    return parts.with(at, { ...current, key: current.key ?? bareKey, raw });
  }
  // The blank that represents an empty line is removed as soon as there is a value.
  const filled = parts.filter((part) => !isBlank(part));
  const carrier = filled.findIndex((part) => part.key === null);
  if (name === layout.glue?.key && carrier >= 0) {
    return filled.toSpliced(carrier + 1, 0, { key: name, raw, isGlued: true });
  }
  return name === layout.defaultKey ? [{ key: bareKey, raw }, ...filled] : [...filled, { key: name, raw }];
}

function removeAt(parts: readonly Part[], at: number): readonly Part[] {
  const rest = at < 0 ? parts : parts.toSpliced(at, 1);
  const orphan = rest[at];
  return orphan?.isGlued ? rest.with(at, { key: orphan.key, raw: orphan.raw }) : rest;
}

/** New sub-keys are in PVE's order: default key, values attached to it, the rest by name. */
function inPrintedOrder<K extends string>(names: readonly K[], { defaultKey, glue }: Layout): readonly K[] {
  const rank = (name: string) => (name === defaultKey ? 0 : name === glue?.key ? 1 : 2);
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function isSame(a: unknown, b: unknown): boolean {
  const areLists = Array.isArray(a) && Array.isArray(b);
  return areLists ? a.length === b.length && a.every((item, index) => item === b[index]) : a === b;
}
