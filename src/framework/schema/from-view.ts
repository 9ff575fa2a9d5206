import { signatureOf } from "../codec/cty-type.ts";
import type { Path } from "../diagnostics.ts";
import { Decimal } from "../values/decimal.ts";
import { parseNumber, toNumeric } from "../values/number.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { Dynamic, setOf, text, type Value } from "../values/value.ts";
import type { Attribute, Attributes } from "./attribute.ts";
import { mayBeNull } from "./to-view.ts";
import type { Type } from "./type.ts";
import { bool, decimal, dynamic, object, string, tuple } from "./types.ts";

/**
 * A hook returned a value that does not fit the schema: a bug in the provider. The message never contains the value.
 */
export class SchemaMismatch extends Error {
  readonly path: Path;

  constructor(expectation: string, path: Path) {
    super(expectation);
    this.name = "SchemaMismatch";
    this.path = path;
  }
}

/**
 * `observed`: all attributes but local and write-only ones are required. `partial`: a missing attribute is null.
 * `known`: a missing attribute is unknown.
 */
export type Completeness = "observed" | "partial" | "known";

/** Turns the result of a hook into a value; the reverse of `toView`. Throws `SchemaMismatch`. */
export function fromView(type: Type, given: unknown, completeness: Completeness = "observed", path: Path = []): Value {
  const { shape } = type;
  if (given === null) return null;
  switch (shape.kind) {
    case "string":
      if (typeof given !== "string") throw new SchemaMismatch("a string", path);
      return text(given);
    case "bool":
      if (typeof given !== "boolean") throw new SchemaMismatch("a boolean", path);
      return given;
    case "number":
      return takeNumber(given, path);
    case "list":
      return takeArray(given, path).map((element, index) =>
        takeElement(shape.element, element, completeness, [...path, { index }]),
      );
    case "set":
      return setOf(takeArray(given, path).map((element) => takeElement(shape.element, element, completeness, path)));
    case "tuple": {
      const elements = takeArray(given, path);
      if (elements.length !== shape.elements.length)
        throw new SchemaMismatch(`${shape.elements.length} elements`, path);
      return shape.elements.map((of, index) => takeElement(of, elements[index], completeness, [...path, { index }]));
    }
    case "map":
      return new Map(
        Object.entries(takeRecord(given, path)).map(([key, member]) => [
          text(key),
          takeElement(shape.element, member, completeness, [...path, { key }]),
        ]),
      );
    case "object": {
      const members = takeRecord(given, path);
      refuseOthers(members, shape.members, path);
      return new Map(
        Object.entries(shape.members).map(([attribute, of]) => [
          attribute,
          takeElement(of, members[attribute], completeness, [...path, { attribute }]),
        ]),
      );
    }
    case "nested":
      return fromObjectView(shape.attributes, given, completeness, path);
    case "dynamic":
      return infer(given, path);
  }
}

export function fromObjectView(
  attributes: Attributes,
  given: unknown,
  completeness: Completeness,
  path: Path = [],
): Value {
  const members = takeRecord(given, path);
  refuseOthers(members, attributes, path);
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => [
      name,
      takeAttribute(attribute, members[name], completeness, [...path, { attribute: name }]),
    ]),
  );
}

function takeAttribute(attribute: Attribute, given: unknown, completeness: Completeness, path: Path): Value {
  if (completeness === "partial" && (given === undefined || given === null)) return null;
  if (completeness === "known" && (given === undefined || given === null)) return given === null ? null : UNKNOWN;
  const elsewhere = attribute.writeOnly !== undefined || (completeness === "observed" && attribute.local);
  if (elsewhere) {
    if (given !== undefined) throw new SchemaMismatch("nothing, since the attribute is not read from the server", path);
    return null;
  }
  if (given === undefined) throw new SchemaMismatch("a value, or null", path);
  if (given === null && !mayBeNull(attribute))
    throw new SchemaMismatch("a value, since only an optional one may be null", path);
  return fromView(attribute.type, given, completeness, path);
}

function takeElement(type: Type, given: unknown, completeness: Completeness, path: Path): Value {
  if (given === undefined || (given === null && !type.nullable)) throw new SchemaMismatch("a value", path);
  return fromView(type, given, completeness, path);
}

function takeNumber(given: unknown, path: Path): Value {
  const value =
    given instanceof Decimal
      ? parseNumber(given.text)
      : typeof given === "number" || typeof given === "bigint"
        ? toNumeric(given)
        : null;
  if (value === null) throw new SchemaMismatch("a number", path);
  return value;
}

function takeArray(given: unknown, path: Path): readonly unknown[] {
  if (!Array.isArray(given)) throw new SchemaMismatch("an array", path);
  return given;
}

function takeRecord(given: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new SchemaMismatch("an object", path);
  return given as Readonly<Record<string, unknown>>;
}

function refuseOthers(given: object, known: object, path: Path): void {
  const other = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (other !== undefined) throw new SchemaMismatch(`no attribute "${other}", since the schema has none`, path);
}

/** The type of a plain value, as Terraform would infer it from the same value written in a configuration. */
function infer(given: unknown, path: Path): Value {
  if (given === null) return null;
  if (typeof given === "string") return dynamicOf(string(), text(given));
  if (typeof given === "boolean") return dynamicOf(bool(), given);
  if (Array.isArray(given)) {
    const elements = given.map((element, index) => infer(element, [...path, { index }]));
    return dynamicOf(tuple(elements.map(typeOf)), elements.map(innerOf));
  }
  if (typeof given === "object" && !(given instanceof Decimal)) {
    const members = Object.entries(given).map(
      ([key, member]) => [text(key), infer(member, [...path, { key }])] as const,
    );
    return dynamicOf(
      object(Object.fromEntries(members.map(([key, member]) => [key, typeOf(member)]))),
      new Map(members.map(([key, member]) => [key, innerOf(member)])),
    );
  }
  return dynamicOf(decimal(), takeNumber(given, path));
}

const dynamicOf = (type: Type, value: Value): Dynamic => new Dynamic(type, signatureOf(type), value);
const typeOf = (value: Value): Type => (value instanceof Dynamic ? value.type : dynamic());
const innerOf = (value: Value): Value => (value instanceof Dynamic ? value.value : value);
