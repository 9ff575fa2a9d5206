import type { Type } from "../schema/type.ts";
import { Decimal } from "./decimal.ts";
import type { Numeric } from "./number.ts";
import { Unknown } from "./unknown.ts";

/**
 * A Terraform value inside the framework; its kind follows from the type it is read with. Objects and maps are `Map`s,
 * so no key can reach a prototype. Sets are arrays in canonical order without duplicates (`setOf`), so equality needs
 * no type. Strings are well-formed and in NFC, as in Terraform.
 */
export type Value = null | Unknown | string | boolean | Numeric | ValueList | ValueMap | Dynamic;

export type ValueList = readonly Value[];

export type ValueMap = ReadonlyMap<string, Value>;

/** A value that carries its own type, where the schema leaves it open. */
export class Dynamic {
  readonly type: Type;
  /** The type in Terraform's JSON form: equal types have equal signatures. */
  readonly signature: string;
  readonly value: Value;

  constructor(type: Type, signature: string, value: Value) {
    this.type = type;
    this.signature = signature;
    this.value = value;
  }
}

export const text = (value: string): string => value.toWellFormed().normalize("NFC");

/** Null, of whichever type. */
export const isNull = (value: Value): boolean => value === null || (value instanceof Dynamic && value.value === null);

/** Unknown as a whole; parts of a known value may be unknown too (`isWhollyKnown`). */
export const isUnknown = (value: Value): boolean =>
  value instanceof Unknown || (value instanceof Dynamic && value.value instanceof Unknown);

export const isList = (value: Value): value is ValueList => Array.isArray(value);

export const isMap = (value: Value): value is ValueMap => value instanceof Map;

/** The elements of a list, set or tuple; none if it is null, unknown or something else. */
export const elementsOf = (value: Value): ValueList => (isList(value) ? value : []);

const EMPTY: ValueMap = new Map();

/** The members of an object or map; none if it is null, unknown or something else. */
export const membersOf = (value: Value): ValueMap => (isMap(value) ? value : EMPTY);

/** One member of an object or map; null if it has none of that name. */
export const memberOf = (value: Value, name: string): Value => membersOf(value).get(name) ?? null;

export const withoutNulls = (members: ValueMap): ValueMap =>
  new Map([...members].filter(([, member]) => !isNull(member)));

export function equal(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a instanceof Unknown) return b instanceof Unknown;
  if (a instanceof Decimal) return b instanceof Decimal && a.text === b.text;
  if (a instanceof Dynamic) return b instanceof Dynamic && a.signature === b.signature && equal(a.value, b.value);
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((element, index) => equal(element, b[index] ?? null));
  }
  if (isMap(a)) {
    return (
      isMap(b) && a.size === b.size && [...a].every(([key, member]) => b.has(key) && equal(member, memberOf(b, key)))
    );
  }
  return false;
}

/** Whether no part of it is unknown. */
export function isWhollyKnown(value: Value): boolean {
  if (value instanceof Unknown) return false;
  if (value instanceof Dynamic) return isWhollyKnown(value.value);
  if (isList(value)) return value.every(isWhollyKnown);
  if (isMap(value)) return [...value.values()].every(isWhollyKnown);
  return true;
}

/** Makes a set: equal elements collapse, unless a part of them is unknown, since they may become different. */
export function setOf(elements: ValueList): ValueList {
  const keyed = elements.map((element) => ({ key: keyOf(element), element }));
  keyed.sort((a, b) => order(a.key, b.key));
  return keyed
    .filter(({ key, element }, index) => keyed[index - 1]?.key !== key || !isWhollyKnown(element))
    .map(({ element }) => element);
}

/** Equal values have equal keys, and different values different ones. */
function keyOf(value: Value): string {
  if (value === null) return "null";
  if (value instanceof Unknown) return "unknown";
  if (value instanceof Dynamic) return `${value.signature} ${keyOf(value.value)}`;
  if (typeof value === "string") return JSON.stringify(value);
  if (isList(value)) return `[${value.map(keyOf).join()}]`;
  if (isMap(value)) {
    const entries = [...value].sort(([a], [b]) => order(a, b));
    return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${keyOf(member)}`).join()}}`;
  }
  return String(value);
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The value with null for every unknown part. */
export function knownPart(value: Value): Value {
  if (isUnknown(value)) return null;
  if (value instanceof Dynamic) return new Dynamic(value.type, value.signature, knownPart(value.value));
  if (isList(value)) return value.map(knownPart);
  return isMap(value) ? new Map([...value].map(([key, member]) => [key, knownPart(member)])) : value;
}
