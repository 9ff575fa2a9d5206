import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CodecError } from "../../../../src/framework/codec/codec-error.ts";
import { signatureOf } from "../../../../src/framework/codec/cty-type.ts";
import { fromJson } from "../../../../src/framework/codec/json.ts";
import { parseJson } from "../../../../src/framework/codec/parse-json.ts";
import type { Type } from "../../../../src/framework/schema/type.ts";
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
} from "../../../../src/framework/schema/types.ts";
import { Decimal } from "../../../../src/framework/values/decimal.ts";
import { formatNumber, type Numeric } from "../../../../src/framework/values/number.ts";
import { Dynamic, elementsOf, equal, memberOf, membersOf, type Value } from "../../../../src/framework/values/value.ts";
import { types, values } from "../arbitrary.ts";

const decode = (type: Type, text: string) => fromJson(type, parseJson(Buffer.from(text)));

/** How Terraform stores a value. Test code: the provider never writes this form. */
function stored({ shape }: Type, value: Value): string {
  if (value === null) return "null";
  switch (shape.kind) {
    case "string":
    case "bool":
      return JSON.stringify(value);
    case "number":
      return formatNumber(value as Numeric);
    case "list":
    case "set":
      return `[${elementsOf(value).map((element) => stored(shape.element, element))}]`;
    case "tuple":
      return `[${shape.elements.map((type, index) => stored(type, elementsOf(value)[index] ?? null))}]`;
    case "map":
      return objectText([...membersOf(value)].map(([key, member]) => [key, stored(shape.element, member)]));
    case "object":
      return objectText(
        Object.entries(shape.members).map(([name, type]) => [name, stored(type, memberOf(value, name))]),
      );
    case "nested":
      return objectText(
        Object.entries(shape.attributes).map(([name, { type }]) => [name, stored(type, memberOf(value, name))]),
      );
    case "dynamic":
      if (!(value instanceof Dynamic)) throw new Error("a dynamic value without its type");
      return `{"value":${stored(value.type, value.value)},"type":${signatureOf(value.type)}}`;
  }
}

const objectText = (entries: [string, string][]) =>
  `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${member}`).join()}}`;

// Properties are checked with many examples, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("stored values", () => {
  it.each<[string, Type, string, Value]>([
    ["a number beyond 2^53", decimal(), "9007199254740993", 9007199254740993n],
    ["a number of many digits", decimal(), "0.12345678901234567890", new Decimal("0.1234567890123456789")],
    ["a number that was a string", decimal(), '"12"', 12],
    ["a string that was a number", string(), "1.50", "1.5"],
    ["a string that was a bool", string(), "true", "true"],
    ["a bool that was a string", bool(), '"false"', false],
    ["the key __proto__", map(string()), '{"__proto__":"x"}', new Map([["__proto__", "x"]])],
    ["a missing attribute", nested({ a: { type: bool(), mode: "optional", doc: "" } }), "{}", new Map([["a", null]])],
    ["an attribute that the schema no longer has", object({}), '{"a":1}', new Map()],
    ["a set in any order", set(string()), '["b","a","b"]', ["a", "b"]],
  ])("may have %s", (_, type, text, value) => {
    expect(decode(type, text)).toEqual(value);
  });

  it.each<[string, Type, string]>([
    ["a list for a string", string(), "[]"],
    ["text for a number", decimal(), '"x"'],
    ["text for a bool", bool(), '"yes"'],
    ["an object for a list", list(string()), "{}"],
    ["a list for an object", object({}), "[]"],
    ["a number for an object", object({}), "0.12345678901234567890"],
    ["a tuple that is too long", tuple([string()]), '["a","b"]'],
    ["a dynamic value without type", dynamic(), '"a"'],
    ["no JSON", string(), "{"],
    ["invalid UTF-8", string(), '"\udc00'],
  ])("may not have %s", (_, type, text) => {
    expect(() => decode(type, text)).toThrow(CodecError);
  });

  it("may not be nested a hundred thousand deep", () => {
    const depth = 100_000;
    const text = `${"[".repeat(depth)}1.5${"]".repeat(depth)}`;
    expect(() => decode(list(string()), text)).toThrow(CodecError);
    const wrapped = `${'{"type":"dynamic","value":'.repeat(5_000)}null${"}".repeat(5_000)}`;
    expect(() => decode(dynamic(), wrapped)).toThrow(CodecError);
  });

  it("round-trip unchanged", () => {
    const cases = types().chain((type) => values(type, { unknown: false }).map((value) => ({ type, value })));
    fc.assert(
      fc.property(cases, ({ type, value }) => {
        const text = stored(type, value);
        fc.pre(!text.includes("Infinity"));
        return equal(decode(type, text), value);
      }),
      { numRuns: 300 },
    );
  });

  it("are refused without a crash when they are damaged", () => {
    fc.assert(
      fc.property(types(), fc.oneof(fc.json(), fc.string()), (type, text) => {
        try {
          decode(type, text);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
        }
      }),
      { numRuns: 800 },
    );
  });
});
