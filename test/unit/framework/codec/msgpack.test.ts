import { ExtData, encode } from "@msgpack/msgpack";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { CodecError } from "../../../../src/framework/codec/codec-error.ts";
import { decodeMsgpack, encodeMsgpack } from "../../../../src/framework/codec/msgpack.ts";
import type { Type } from "../../../../src/framework/schema/type.ts";
import {
  bool,
  decimal,
  dynamic,
  list,
  map,
  object,
  set,
  string,
  tuple,
} from "../../../../src/framework/schema/types.ts";
import { Decimal } from "../../../../src/framework/values/decimal.ts";
import { UNKNOWN, Unknown } from "../../../../src/framework/values/unknown.ts";
import { equal, type Value } from "../../../../src/framework/values/value.ts";
import { types, values } from "../arbitrary.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
const bytes = (text: string) => new Uint8Array(Buffer.from(text, "hex"));

// Properties are checked with many examples, which takes a while on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

describe("values in MessagePack", () => {
  const rows: [string, Type, string, Value][] = [
    ["null is nil", string(), "c0", null],
    ["an unknown is extension 0", string(), "d40000", UNKNOWN],
    ["a string is str", string(), "a161", "a"],
    ["a bool is bool", bool(), "c3", true],
    ["a small number is an integer", decimal(), "2a", 42],
    ["2^32 is an integer, not a double", decimal(), "cf0000000100000000", 2 ** 32],
    ["-2^31 is an integer, not a double", decimal(), "d3ffffffff80000000", -(2 ** 31)],
    ["2^53 + 1 is exact", decimal(), "cf0020000000000001", 2n ** 53n + 1n],
    ["2^64 - 1 is the largest integer", decimal(), "cfffffffffffffffff", 2n ** 64n - 1n],
    ["2^64 does not wrap round to 0", decimal(), "b43138343436373434303733373039353531363136", 2n ** 64n],
    ["a fraction is decimal text", decimal(), "a3302e31", 0.1],
    ["infinity is a double", decimal(), "cb7ff0000000000000", Number.POSITIVE_INFINITY],
    ["a list is an array", list(bool()), "92c2c3", [false, true]],
    ["a map may have the key __proto__", map(bool()), "81a95f5f70726f746f5f5fc3", new Map([["__proto__", true]])],
    ["a map may have a key that begins with NUL", map(bool()), "81a20061c3", new Map([["\0a", true]])],
    [
      "an object has all its attributes",
      object({ a: bool(), b: bool() }),
      "82a161c3a162c0",
      new Map([
        ["a", true],
        ["b", null],
      ]),
    ],
    ["a tuple is an array", tuple([bool(), string()]), "92c3a161", [true, "a"]],
  ];
  it.each(rows)("%s", (_, type, encoded, value) => {
    expect(hex(encodeMsgpack(type, value))).toBe(encoded);
    expect(decodeMsgpack(type, bytes(encoded))).toEqual(value);
  });

  it("encodes the type with a dynamic value", () => {
    const encoded = encode([Buffer.from('["list","string"]'), ["a"]]);
    const value = decodeMsgpack(dynamic(), encoded);
    expect(value).toMatchObject({ signature: '["list","string"]', value: ["a"] });
    expect(hex(encodeMsgpack(dynamic(), value))).toBe(hex(encoded));
  });

  it("keeps the type of a dynamic null", () => {
    const encoded = encode([Buffer.from('"string"'), null]);
    expect(hex(encodeMsgpack(dynamic(), decodeMsgpack(dynamic(), encoded)))).toBe(hex(encoded));
  });

  it("returns a refined unknown unchanged", () => {
    const encoded = encode(new ExtData(12, encode({ 1: false, 2: "pre-" })));
    const value = decodeMsgpack(string(), encoded);
    expect(value).toBeInstanceOf(Unknown);
    expect(hex(encodeMsgpack(string(), value))).toBe(hex(encoded));
  });

  it.each([1, 5, 99, -1])("takes extension %i for an unknown", (code) => {
    expect(decodeMsgpack(string(), encode(new ExtData(code, new Uint8Array(4))))).toBeInstanceOf(Unknown);
  });

  it.each<[string, unknown, Value]>([
    ["a double that is whole", 2 ** 60, 2n ** 60n],
    ["a double with a fraction", 0.5, 0.5],
    ["decimal text", "0.30000000000000004000", 0.30000000000000004],
    ["more digits than a double has", "0.12345678901234567890123", new Decimal("0.12345678901234567890123")],
    ["exponents", "25e-1", 2.5],
    ["minus zero", -0, 0],
  ])("reads %s exactly", (_, raw, value) => {
    expect(decodeMsgpack(decimal(), encode(raw))).toEqual(value);
  });

  it("normalises strings as Terraform does", () => {
    expect(decodeMsgpack(string(), encode("e\u0301"))).toBe("\u00e9");
  });

  it("collapses duplicates in a set and drops its order", () => {
    const a = decodeMsgpack(set(string()), encode(["b", "a", "b"]));
    expect(equal(a, decodeMsgpack(set(string()), encode(["a", "b"])))).toBe(true);
  });

  it("does not collapse elements that may still differ", () => {
    expect(decodeMsgpack(set(string()), bytes("92d40000d40000"))).toHaveLength(2);
  });

  it("round-trips every value of every type", () => {
    const cases = types().chain((type) => values(type).map((value) => ({ type, value })));
    fc.assert(
      fc.property(cases, ({ type, value }) => equal(decodeMsgpack(type, encodeMsgpack(type, value)), value)),
      { numRuns: 300 },
    );
  });
});

it.each(["9".repeat(1_000_000), "1e1000000"])("a number of a million digits is kept as it is", (digits) => {
  expect(decodeMsgpack(decimal(), encode(digits))).toEqual(new Decimal(digits));
});

describe("bytes that are not a value", () => {
  it.each<[string, Type, unknown]>([
    ["a bool for a string", string(), true],
    ["a string for a bool", bool(), "true"],
    ["NaN", decimal(), Number.NaN],
    ["text that is not a number", decimal(), "12px"],
    ["a map for a list", list(string()), { a: "b" }],
    ["a list for a map", map(string()), ["a"]],
    ["bytes for a map", map(string()), new Uint8Array(3)],
    ["too few attributes", object({ a: string() }), {}],
    ["too many attributes", object({ a: string() }), { a: "", b: "" }],
    ["other attributes", object({ a: string() }), { b: "" }],
    ["a tuple that is too short", tuple([string(), string()]), ["a"]],
    ["a dynamic value without a type", dynamic(), "a"],
    ["a dynamic value of no type", dynamic(), [Buffer.from('"strung"'), "a"]],
    ["a type that is not JSON", dynamic(), [Buffer.from("{"), "a"]],
  ])("refuses %s", (_, type, raw) => {
    expect(() => decodeMsgpack(type, encode(raw))).toThrow(CodecError);
  });

  it("names the place, and quotes no value", () => {
    const type = object({ users: list(object({ password: string() })) });
    const error = catching(() => decodeMsgpack(type, encode({ users: [{ password: 123456 }] })));
    expect(error.path).toEqual([{ attribute: "users" }, { index: 0 }, { attribute: "password" }]);
    expect(error.message).toBe("a string");
  });

  it.each([
    ["an array that claims four thousand million elements", "ddffffffff"],
    ["a map that claims as many", "dfffffffff"],
    ["a string that claims that length", "dbffffffff61"],
    ["an extension that claims that length", "c9ffffffff00"],
    ["the byte that is never used", "c1"],
    ["two values", "c3c3"],
  ])("refuses %s at once", (_, encoded) => {
    expect(() => decodeMsgpack(list(string()), bytes(encoded))).toThrow(CodecError);
  });

  it("reserves no memory for elements that are only claimed", () => {
    const before = process.memoryUsage().heapTotal;
    expect(() => decodeMsgpack(list(string()), bytes("dd01ffffff"))).toThrow(CodecError);
    expect(process.memoryUsage().heapTotal - before).toBeLessThan(64 * 2 ** 20);
  });

  it("refuses types and values nested a hundred thousand deep", () => {
    const depth = 100_000;
    const type = `${'["list",'.repeat(depth)}"string"${"]".repeat(depth)}`;
    expect(() => decodeMsgpack(dynamic(), encode([Buffer.from(type), null]))).toThrow(CodecError);
    const layer = Buffer.concat([bytes("92c409"), Buffer.from('"dynamic"')]);
    expect(() => decodeMsgpack(dynamic(), Buffer.concat([...Array(50_000).fill(layer), bytes("c0")]))).toThrow(
      CodecError,
    );
    expect(() => decodeMsgpack(list(string()), new Uint8Array(depth).fill(0x91))).toThrow(CodecError);
  });

  it("only ever refuses damaged bytes", () => {
    const damaged = types().chain((type) =>
      fc.record({
        type: fc.constant(type),
        bytes: fc.oneof(
          fc.uint8Array({ maxLength: 64 }),
          fc
            .tuple(values(type), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }), fc.nat())
            .map(([value, changes, cut]) => {
              const encoded = encodeMsgpack(type, value);
              for (const [position, byte] of changes) encoded[position % encoded.length] = byte;
              return encoded.slice(0, encoded.length - (cut % 3));
            }),
        ),
      }),
    );
    fc.assert(
      fc.property(damaged, ({ type, bytes }) => {
        try {
          const value = decodeMsgpack(type, bytes);
          encodeMsgpack(type, value);
        } catch (error) {
          expect(error).toBeInstanceOf(CodecError);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(Object.prototype).not.toHaveProperty("polluted");
  });

  it("does not let a key reach a prototype", () => {
    const value = decodeMsgpack(map(map(string())), encode(JSON.parse('{"constructor": {"prototype": "x"}}')));
    expect(value).toEqual(new Map([["constructor", new Map([["prototype", "x"]])]]));
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

function catching(work: () => unknown): CodecError {
  try {
    work();
  } catch (error) {
    if (error instanceof CodecError) return error;
  }
  throw new Error("no error was thrown");
}
