import type { Type } from "./type.ts";

/**
 * A value as Terraform sees it, in plain JavaScript so that a test reads like a configuration. It does not contain its
 * type: a set is an array whose order does not count.
 */
export type Value = null | boolean | string | Decimal | Unknown | Dynamic | Value[] | { [name: string]: Value };

export type ObjectValue = { [name: string]: Value };

/** A number of any size and precision, kept as its shortest decimal text. */
export class Decimal {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static from(number: number | bigint | string): Decimal {
    const text = String(number);
    if (!/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)) throw new Error(`${JSON.stringify(text)} is not a number`);
    return new Decimal(shortest(text));
  }

  /** The number as an integer, if it is one. */
  integer(): bigint | undefined {
    return /^-?\d+$/.test(this.text) ? BigInt(this.text) : undefined;
  }
}

/** "1.50e2" and "150" are the same number, and must be the same text. */
function shortest(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const left = digits.slice(0, Math.max(point, 0)).padEnd(Math.max(point, 0), "0").replace(/^0+/, "");
  const right = `${"0".repeat(Math.max(-point, 0))}${digits.slice(Math.max(point, 0))}`.replace(/0+$/, "");
  const number = `${left || "0"}${right ? `.${right}` : ""}`;
  return number === "0" ? "0" : sign + number;
}

/** What is known about an unknown value; Terraform sends these with ordinary plans. */
export interface Refinement {
  notNull?: boolean;
  prefix?: string;
  minLength?: number;
  maxLength?: number;
}

export class Unknown {
  readonly refinement: Refinement;

  constructor(refinement: Refinement = {}) {
    this.refinement = refinement;
  }
}

export const unknown = new Unknown();

/** A value that carries its own type. */
export class Dynamic {
  readonly type: Type;
  readonly value: Value;

  constructor(type: Type, value: Value) {
    this.type = type;
    this.value = value;
  }
}

/** What a test may write for a value: ordinary numbers, and objects without some attributes. */
export type Input = Value | number | bigint | undefined | Input[] | { [name: string]: Input };

/** Makes an object of exactly the attributes its type has, as Terraform sends them. */
export function toValue(type: Type, input: Input): Value {
  if (input === undefined || input === null) return null;
  if (input instanceof Unknown || input instanceof Dynamic || input instanceof Decimal) return input;
  if (typeof input === "number" || typeof input === "bigint") return Decimal.from(input);
  if (Array.isArray(input)) {
    return input.map((item, index) => toValue(type.kind === "tuple" ? elementOf(type, index) : elementOf(type), item));
  }
  if (typeof input !== "object") return input;
  const given = input as { [name: string]: Input };
  if (type.kind !== "object") return mapObject(given, (item) => toValue(elementOf(type), item));
  const strange = Object.keys(given).filter((name) => !(name in type.attributes));
  if (strange.length > 0) throw new Error(`the schema has no attribute ${strange.join(", ")}`);
  return mapObject(type.attributes, (attribute, name) => toValue(attribute, given[name]));
}

export function elementOf(type: Type, index = 0): Type {
  if (type.kind === "list" || type.kind === "set" || type.kind === "map") return type.element;
  const element = type.kind === "tuple" ? type.elements[index] : undefined;
  if (!element) throw new Error(`a ${type.kind} has no element ${index}`);
  return element;
}

export function isObject(value: Value): value is ObjectValue {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !isLeaf(value);
}

export function isUnknown(value: Value): value is Unknown {
  return value instanceof Unknown;
}

function isLeaf(value: object): boolean {
  return value instanceof Decimal || value instanceof Unknown || value instanceof Dynamic;
}

/** Objects of values have no prototype: an attribute may be called `constructor`, a map key `__proto__`. */
export function mapObject<From, To extends Value>(
  from: { [name: string]: From },
  change: (value: From, name: string) => To,
): { [name: string]: To } {
  const result: { [name: string]: To } = Object.create(null);
  for (const name of Object.keys(from)) result[name] = change(from[name] as From, name);
  return result;
}

/** The attribute of an object that may itself be null. */
export function attributeOf(value: Value, name: string): Value {
  if (isUnknown(value)) return unknown;
  return isObject(value) ? (value[name] ?? null) : null;
}

/** The same value, unknowns included (their refinements do not count) and sets in any order. */
export function equals(type: Type, a: Value, b: Value): boolean {
  if (a === null || b === null) return a === b;
  if (isUnknown(a) || isUnknown(b)) return isUnknown(a) && isUnknown(b);
  if (a instanceof Decimal && b instanceof Decimal) return a.text === b.text;
  if (a instanceof Dynamic && b instanceof Dynamic) {
    return JSON.stringify(a.type) === JSON.stringify(b.type) && equals(a.type, a.value, b.value);
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    return type.kind === "set" ? sameSet(type.element, a, b) : sameList(type, a, b);
  }
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    if (names.length !== Object.keys(b).length) return false;
    return names.every((name) => name in b && equals(memberOf(type, name), a[name] as Value, b[name] as Value));
  }
  return a === b;
}

function memberOf(type: Type, name: string): Type {
  if (type.kind !== "object") return elementOf(type);
  const attribute = type.attributes[name];
  if (!attribute) throw new Error(`the type has no attribute ${name}`);
  return attribute;
}

function sameList(type: Type, a: Value[], b: Value[]): boolean {
  return a.length === b.length && a.every((item, index) => equals(elementOf(type, index), item, b[index] as Value));
}

function sameSet(element: Type, a: Value[], b: Value[]): boolean {
  const contains = (set: Value[], wanted: Value) => set.some((item) => equals(element, item, wanted));
  return a.every((item) => contains(b, item)) && b.every((item) => contains(a, item));
}

/** Calls back for a value and everything in it, outermost first; `false` says not to look inside. */
export function walk(value: Value, visit: (value: Value, path: string) => boolean | undefined, path = ""): void {
  if (visit(value, path) === false) return;
  if (value instanceof Dynamic) walk(value.value, visit, path);
  else if (Array.isArray(value)) value.forEach((item, index) => void walk(item, visit, `${path}[${index}]`));
  else if (isObject(value)) for (const name of Object.keys(value)) walk(value[name] as Value, visit, join(path, name));
}

export function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** A short text for messages. */
export function show(value: Value): string {
  if (value instanceof Decimal) return value.text;
  if (isUnknown(value)) return "(unknown)";
  if (value instanceof Dynamic) return show(value.value);
  if (Array.isArray(value)) return `[${value.map(show).join(", ")}]`;
  if (isObject(value)) {
    return `{${Object.keys(value)
      .map((name) => `${name} = ${show(value[name] as Value)}`)
      .join(", ")}}`;
  }
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
}
