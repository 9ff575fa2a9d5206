import type { Properties } from "./schema.ts";

/** The outcome of reading a property string: its keys, each still as text (booleans as "0" or "1"). */
export type Parsed = Record<string, string>;

/** A check with a name, as registered with PVE::JSONSchema::register_format; it throws `die(text)` on a bad value. */
export interface NamedFormat {
  readonly kind: "named";
  readonly name: string;
  verify(value: string): void;
}

/** Comma-separated `key=value` pairs; `name` where PVE registers the format under one. */
export interface PropertyFormat {
  readonly kind: "properties";
  readonly name?: string;
  readonly properties: Properties;
  /** Looks at all keys together after each was checked; it may also rewrite them. */
  validate?(parsed: Parsed): Parsed;
}

export type Format = NamedFormat | PropertyFormat;

export function namedFormat(name: string, verify: (value: string) => void): NamedFormat {
  return { kind: "named", name, verify };
}

export function propertyFormat<const P extends Properties>(
  properties: P,
  options: { name?: string; validate?: (parsed: Parsed) => Parsed } = {},
): PropertyFormat & { readonly properties: P } {
  return { kind: "properties", properties, ...options };
}

/** Perl's `split_list`: commas, semicolons, blanks and NUL bytes separate, in any mix. */
export function splitList(text: string): string[] {
  return text
    .replace(/[,;\0]/g, " ")
    .trim()
    .split(/\s+/)
    .filter((item) => item !== "");
}

/** The `-list` form of a format; an empty list is allowed. */
export function listOf(format: NamedFormat): NamedFormat {
  return namedFormat(`${format.name}-list`, (value) => {
    for (const item of splitList(value)) {
      format.verify(item);
    }
  });
}

/** The `-opt` form of a format: values that Perl takes for false are not looked at. */
export function optionalOf(format: NamedFormat): NamedFormat {
  return namedFormat(`${format.name}-opt`, (value) => {
    if (value !== "" && value !== "0") {
      format.verify(value);
    }
  });
}
