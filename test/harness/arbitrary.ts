import fc from "fast-check";
import type { Attribute, Body, Nested } from "./schema.ts";
import type { Type } from "./type.ts";
import { Decimal, Dynamic, type Input, Unknown } from "./value.ts";

/** Values for attributes whose schema does not say what is valid, by path: `"named.colour"`. */
export type Overrides = Readonly<Record<string, fc.Arbitrary<Input>>>;

type Given = { [name: string]: Input };

/** The final configuration, and the same one with parts that are unknown while planning. */
export interface Configuration {
  config: Given;
  atPlan: Given;
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

function objectOf(body: Body, overrides: Overrides, path: string): fc.Arbitrary<Given> {
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

/** Terraform normalises the text it sends, so this does too. */
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

/** Inputs that mean the same value have the same text. */
function stable(value: Input): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? { text: String(part) } : part));
}

/** Replaces some of what is given, at any depth and chosen by the seed, by unknown values. */
function withUnknowns(config: Given, body: Body, seed: number): Given {
  if (seed === 0) return config;
  const chance = dice(seed);
  return hideMembers(config, body, chance);
}

function hideMembers(object: Given, body: Body, chance: Chance): Given {
  const members = Object.entries(object).map(([name, value]) => [name, hide(value, body.attributes[name], chance)]);
  return Object.fromEntries(members);
}

function hide(value: Input, attribute: Attribute | undefined, chance: Chance): Input {
  if (value === undefined || value === null || !attribute) return value;
  if (chance(3)) return placeholder(value, chance);
  const { nested } = attribute;
  if (!nested) return value;
  if (nested.nesting === "single") return hideMembers(value as Given, nested, chance);
  if (Array.isArray(value)) return value.map((item) => hideMembers(item as Given, nested, chance));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, hideMembers(item as Given, nested, chance)]),
  );
}

/** Terraform knows the beginning of a text like `"vm-${other.id}"` before it knows the rest. */
function placeholder(value: Input, chance: Chance): Unknown {
  if (typeof value !== "string" || value === "" || chance(2)) return new Unknown();
  return new Unknown({ notNull: true, prefix: String.fromCodePoint(value.codePointAt(0) ?? 0) });
}

/** True in one of so many cases. */
type Chance = (oneIn: number) => boolean;

/** The same for the same seed, so that a counterexample can be replayed (xorshift). */
function dice(seed: number): Chance {
  let state = seed | 1;
  return (oneIn) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.abs(state) % oneIn === 0;
  };
}
