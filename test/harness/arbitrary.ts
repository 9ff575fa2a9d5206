import fc from "fast-check";
import type { Attribute, Body, Nested } from "./schema.ts";
import type { Type } from "./type.ts";
import { Decimal, Dynamic, type Input, Unknown } from "./value.ts";

/** Values for attributes whose schema does not tell what is valid, by path: `"named.colour"`. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<Input>>>;

/** A configuration as it is at last, and as it looks while parts of it are not known yet. */
export interface Configuration {
  config: { [name: string]: Input };
  atPlan: { [name: string]: Input };
}

/**
 * Valid configurations of a resource: required attributes given, optional ones given or not, computed ones never. A
 * quarter of them has values that are not known before apply.
 */
export function configurations(body: Body, overrides: Overrides = {}): fc.Arbitrary<Configuration> {
  const object = objectOf(body, overrides, "");
  const unknowns = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat() });
  return fc.tuple(object, unknowns).map(([config, seed]) => ({ config, atPlan: withUnknowns(config, body, seed) }));
}

function objectOf(body: Body, overrides: Overrides, path: string): fc.Arbitrary<{ [name: string]: Input }> {
  const writable = Object.entries(body.attributes).filter(([, { required, optional }]) => required || optional);
  const members = writable.map(([name, attribute]) => {
    const given = overrides[path + name] ?? givenFor(attribute, overrides, path + name);
    return [name, attribute.required ? given : fc.option(given, { nil: undefined })];
  });
  return fc.record(Object.fromEntries(members));
}

function givenFor(attribute: Attribute, overrides: Overrides, path: string): fc.Arbitrary<Input> {
  return attribute.nested ? nestedOf(attribute.nested, overrides, path) : ofType(attribute.type);
}

function nestedOf(nested: Nested, overrides: Overrides, path: string): fc.Arbitrary<Input> {
  const object = objectOf(nested, overrides, `${path}.`);
  switch (nested.nesting) {
    case "single":
      return object;
    case "list":
      return fc.array(object, { maxLength: 3 });
    case "map":
      return fc.dictionary(key, object, { maxKeys: 3, noNullPrototype: true });
    case "set":
      return fc.uniqueArray(object, { maxLength: 3, selector: stable });
  }
}

const key = fc.string({ minLength: 1, maxLength: 5 });

/** Terraform normalises text it sends; so does this. */
const text = fc.string({ unit: "grapheme", maxLength: 12 }).map((value) => value.normalize("NFC"));

const number = fc.oneof(
  fc.integer(),
  fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }),
  fc
    .tuple(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.nat(30))
    .map(([digits, places]) => Decimal.from(`${digits}e-${places}`)),
);

function ofType(type: Type): fc.Arbitrary<Input> {
  switch (type.kind) {
    case "string":
      return text;
    case "number":
      return number;
    case "bool":
      return fc.boolean();
    case "dynamic":
      return fc.oneof(...dynamicTypes.map((inner) => ofType(inner).map((value) => new Dynamic(inner, toPlain(value)))));
    case "list":
      return fc.array(ofType(type.element), { maxLength: 3 });
    case "set":
      return fc.uniqueArray(ofType(type.element), { maxLength: 3, selector: stable });
    case "map":
      return fc.dictionary(key, ofType(type.element), { maxKeys: 3, noNullPrototype: true });
    case "tuple":
      return fc.tuple(...type.elements.map(ofType));
    case "object":
      return fc.record(
        Object.fromEntries(Object.entries(type.attributes).map(([name, inner]) => [name, ofType(inner)])),
      );
  }
}

const dynamicTypes: Type[] = [{ kind: "string" }, { kind: "bool" }];

function toPlain(value: Input): string | boolean {
  return typeof value === "boolean" ? value : String(value);
}

/** Two inputs that are one value have one text. */
function stable(value: Input): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? { text: String(part) } : part));
}

/** Replaces some of the given attributes, chosen by the seed, by values that are not known yet. */
function withUnknowns(config: { [name: string]: Input }, body: Body, seed: number): { [name: string]: Input } {
  if (seed === 0) return config;
  const given = Object.keys(config).filter((name) => config[name] !== undefined && !body.attributes[name]?.writeOnly);
  const hidden = given.filter((_, index) => (seed >> (index % 30)) & 1);
  return { ...config, ...Object.fromEntries(hidden.map((name) => [name, placeholder(config[name], seed)])) };
}

/** Terraform knows the beginning of a text like `"vm-${other.id}"` before it knows the rest. */
function placeholder(value: Input, seed: number): Unknown {
  if (typeof value !== "string" || value === "" || seed % 2 === 0) return new Unknown();
  return new Unknown({ notNull: true, prefix: String.fromCodePoint(value.codePointAt(0) ?? 0) });
}
