import fc from "fast-check";
import { signatureOf } from "../../../src/framework/codec/cty-type.ts";
import type { Shape, Type } from "../../../src/framework/schema/type.ts";
import {
  bool,
  decimal,
  dynamic,
  list,
  map,
  nested,
  object,
  set,
  string,
  tuple,
} from "../../../src/framework/schema/types.ts";
import { parseNumber } from "../../../src/framework/values/number.ts";
import { UNKNOWN, Unknown } from "../../../src/framework/values/unknown.ts";
import { Dynamic, setOf, text, type Value } from "../../../src/framework/values/value.ts";

/** Names that break careless codecs. */
const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "\0", "\0__proto__", "hasOwnProperty", "0", "1"),
  fc.string({ unit: "grapheme", maxLength: 8 }).map(text),
);

const numerals = fc.oneof(
  fc.integer().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
  fc.constantFrom(
    "18446744073709551615",
    "18446744073709551616",
    "-9223372036854775808",
    "9007199254740993",
    "4294967296",
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.tuple(fc.bigInt(), fc.nat(40)).map(([digits, places]) => `${digits}e-${places}`),
);

const leaves = fc
  .constantFrom<() => Type>(
    () => string(),
    () => bool(),
    () => decimal(),
    () => dynamic(),
  )
  .map((make) => make());

/** Types that a schema may have and, when `open` is false, types that dynamic values may carry. */
export const types = (open = true): fc.Arbitrary<Type> =>
  fc.letrec<{ type: Type }>((tie) => {
    const type = tie("type");
    const members = fc.dictionary(names, type, { maxKeys: 4, noNullPrototype: false });
    const collections = fc.oneof(
      type.map((element): Type => list(element)),
      type.map((element): Type => map(element)),
      type.map((element): Type => set(element)),
      fc.array(type, { maxLength: 3 }).map((elements): Type => tuple(elements)),
      members.map((of): Type => object(of)),
      ...(open
        ? [
            members.map(
              (of): Type =>
                nested(
                  Object.fromEntries(
                    Object.entries(of).map(([name, member]) => [
                      name,
                      { type: member, mode: "optional" as const, doc: "" },
                    ]),
                  ),
                ),
            ),
          ]
        : []),
    );
    return { type: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaves, collections) };
  }).type;

const unknowns = fc.constantFrom(UNKNOWN, new Unknown(new Uint8Array([0x81, 1, 0xc2])));

/** Values of the type: known, null, and (unless switched off) unknown, wholly or in parts. */
export function values(type: Type, options: { unknown: boolean } = { unknown: true }): fc.Arbitrary<Value> {
  const known = knownValues(type.shape, options);
  return fc.oneof(
    { arbitrary: known, weight: 8 },
    { arbitrary: fc.constant(null), weight: 1 },
    ...(options.unknown ? [{ arbitrary: unknowns, weight: 1 }] : []),
  );
}

function knownValues(shape: Shape, options: { unknown: boolean }): fc.Arbitrary<Value> {
  switch (shape.kind) {
    case "string":
      return fc.string({ unit: "binary" }).map(text);
    case "bool":
      return fc.boolean();
    case "number":
      return fc.oneof(
        numerals.map((numeral) => parseNumber(numeral) ?? 0),
        fc.constantFrom(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
      );
    case "list":
      return fc.array(values(shape.element, options), { maxLength: 4 });
    case "set":
      return fc.array(values(shape.element, options), { maxLength: 4 }).map(setOf);
    case "map":
      return fc
        .array(fc.tuple(names, values(shape.element, options)), { maxLength: 4 })
        .map((entries) => new Map(entries));
    case "tuple":
      return fc.tuple(...shape.elements.map((element) => values(element, options)));
    case "object":
      return members(Object.entries(shape.members), options);
    case "nested":
      return members(
        Object.entries(shape.attributes).map(([name, attribute]) => [name, attribute.type]),
        options,
      );
    case "dynamic":
      return types(false)
        .filter((type) => type.shape.kind !== "dynamic")
        .chain((type) => values(type, options).map((value) => new Dynamic(type, signatureOf(type), value)));
  }
}

const members = (of: [string, Type][], options: { unknown: boolean }): fc.Arbitrary<Value> =>
  fc
    .tuple(...of.map(([, type]) => values(type, options)))
    .map((list) => new Map(of.map(([name], index) => [name, list[index] ?? null])));
