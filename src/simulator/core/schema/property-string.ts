import { die, Failure } from "../kernel/failure.ts";
import type { Format } from "./format.ts";
import type { Properties } from "./schema.ts";
import { formatSize } from "./size.ts";
import { checkProperties, type Errors } from "./validate.ts";

/** The keys of a property string, each as text (booleans as "0" or "1"). */
export type Parsed = Record<string, string>;

/** Comma-separated `key=value` pairs. */
export interface PropertyFormat<P extends Properties = Properties> extends Format {
  readonly properties: P;
  /** Checks all keys together after each was checked alone; it may also rewrite them. */
  validate?(parsed: Parsed): Parsed;
}

export function propertyFormat<const P extends Properties>(
  properties: P,
  options: { name?: string; validate?: (parsed: Parsed) => Parsed } = {},
): PropertyFormat<P> {
  const format: PropertyFormat<P> = {
    name: options.name,
    properties,
    ...(options.validate === undefined ? {} : { validate: options.validate }),
    verify: (value, path) => {
      parsePropertyString(format, value, path);
    },
  };
  return format;
}

/** `1|on|yes|true` and their opposites: accepted in property strings only. */
export function parseBoolean(text: string): "0" | "1" | undefined {
  if (/^(?:1|on|yes|true)$/i.test(text)) {
    return "1";
  }
  return /^(?:0|off|no|false)$/i.test(text) ? "0" : undefined;
}

/**
 * PVE::JSONSchema::parse_property_string: splits `local:8,cache=none` by its format and checks every key. Error texts
 * have `path` in front of the key.
 */
export function parsePropertyString(format: PropertyFormat, text: string, path = ""): Parsed {
  const parsed: Parsed = {};
  let bare = false;
  for (const part of text.split(",")) {
    if (/^\s*$/.test(part)) {
      continue;
    }
    const pair = /^([^=]+)=(.+)$/.exec(part);
    if (pair !== null) {
      takePair(format, parsed, pair[1] as string, pair[2] as string);
    } else if (part.includes("=")) {
      die("missing key in comma-separated list property");
    } else {
      takeBareValue(format, parsed, part, bare);
      bare = true;
    }
  }
  const errors: Errors = {};
  checkProperties(format.properties, parsed, { path, errors });
  if (Object.keys(errors).length > 0) {
    throw new Failure("format error", undefined, errors);
  }
  return format.validate?.(parsed) ?? parsed;
}

function takePair(format: PropertyFormat, parsed: Parsed, given: string, value: string): void {
  if (parsed[given] !== undefined) {
    die(`duplicate key in comma-separated list property: ${given}`);
  }
  let key = given;
  let schema = format.properties[key];
  if (schema?.alias !== undefined) {
    if (schema.keyAlias !== undefined) {
      if (parsed[schema.keyAlias] !== undefined) {
        die(`key alias '${schema.keyAlias}' is already defined`);
      }
      parsed[schema.keyAlias] = key;
    }
    key = schema.alias;
    schema = format.properties[key];
    if (parsed[key] !== undefined) {
      die(`key '${key}' is already defined (via alias)`);
    }
  }
  // PVE intends to refuse an unknown key here, but its test creates an empty schema; the check of all keys refuses it.
  parsed[key] = schema?.type === "boolean" ? (parseBoolean(value) ?? value) : value;
}

function takeBareValue(format: PropertyFormat, parsed: Parsed, value: string, again: boolean): void {
  const [key, schema] = Object.entries(format.properties).find(([, candidate]) => candidate.default_key) ?? [];
  if (key === undefined || schema === undefined) {
    die("value without key, but schema does not define a default key");
  }
  // Truth in Perl: an earlier `0` does not count as given.
  if (again || (parsed[key] !== undefined && parsed[key] !== "0")) {
    die(`duplicate key in comma-separated list property: ${key}`);
  }
  parsed[key] = schema.type === "boolean" ? (parseBoolean(value) ?? value) : value;
}

/**
 * PVE::JSONSchema::print_property_string: the default key first and bare, then required keys, then the others, both in
 * alphabetical order; `model` and `macaddr` of a NIC are joined through their alias (`virtio=BC:24:…`).
 */
export function printPropertyString(format: PropertyFormat, values: Parsed, skip: readonly string[] = []): string {
  const { properties } = format;
  const combined = new Map(
    Object.values(properties).flatMap((schema) =>
      schema.keyAlias !== undefined && schema.alias !== undefined ? [[schema.keyAlias, schema.alias] as const] : [],
    ),
  );
  const done = new Set(skip);
  const parts: string[] = [];
  const show = (key: string): string => {
    const schema = properties[key];
    const value = values[key] ?? "";
    if (schema !== undefined && "format" in schema && schema.format?.name === "disk-size") {
      return formatSize(Number(value));
    }
    return value.includes(",") ? die(`illegal value with commas for ${key}`) : value;
  };
  const add = (key: string, bare = false): void => {
    if (done.has(key) || values[key] === undefined) {
      return;
    }
    done.add(key);
    const partner = combined.get(key);
    if (partner !== undefined && values[partner] !== undefined) {
      done.add(partner);
      parts.push(`${show(key)}=${show(partner)}`);
      return;
    }
    if (properties[key] === undefined) {
      die(`invalid key '${key}'`);
    }
    parts.push(bare ? show(key) : `${key}=${show(key)}`);
  };

  const defaultKey = Object.keys(properties).find((key) => properties[key]?.default_key);
  if (defaultKey !== undefined) {
    add(defaultKey, true);
  }
  const keys = Object.keys(values).sort();
  for (const key of keys.filter((name) => properties[name] !== undefined && !properties[name]?.optional)) {
    add(key);
  }
  for (const key of keys) {
    add(key);
  }
  return parts.join(",");
}
