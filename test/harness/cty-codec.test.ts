import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decode, encode } from "./cty-codec.ts";
import { toJson } from "./cty-json.ts";
import { pack, unpack } from "./msgpack.ts";
import { parseType } from "./type.ts";
import { Decimal, Dynamic, type Input, show, toValue, Unknown, unknown } from "./value.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

describe("values on the wire", () => {
  // Bytes as go-cty writes them.
  const known: [title: string, type: unknown, value: Input, bytes: string][] = [
    ["null", "string", null, "c0"],
    ["unknown", "string", unknown, "d40000"],
    ["a refined unknown", "string", new Unknown({ notNull: true }), "c7030c8101c2"],
    ["text", "string", "hi", "a26869"],
    ["a small integer", "number", 7, "07"],
    ["a negative integer", "number", -200, "d1ff38"],
    ["the largest 64-bit integer", "number", 2n ** 64n - 1n, "cfffffffffffffffff"],
    [
      "an integer beyond that, as text",
      "number",
      2n ** 64n,
      `b4${Buffer.from("18446744073709551616").toString("hex")}`,
    ],
    ["an exact fraction, as a float", "number", 0.5, "cb3fe0000000000000"],
    ["any other fraction, as text", "number", 0.1, `a3${Buffer.from("0.1").toString("hex")}`],
    ["a list", ["list", "bool"], [true, false], "92c3c2"],
    ["a map", ["map", "string"], { a: "b" }, "81a161a162"],
    ["an object, absent members as null", ["object", { a: "string", b: "string" }], { b: "x" }, "82a161c0a162a178"],
    [
      "a value with its type",
      "dynamic",
      new Dynamic({ kind: "string" }, "x"),
      "92c408".concat(Buffer.from('"string"').toString("hex"), "a178"),
    ],
  ];

  test.each(known)("%s", (_, type, input, bytes) => {
    const parsed = parseType(type);
    const value = toValue(parsed, input);
    expect(hex(encode(parsed, value))).toBe(bytes);
    expect(show(decode(parsed, Buffer.from(bytes, "hex")))).toBe(show(value));
  });

  const wrong: [title: string, type: unknown, bytes: string, message: string][] = [
    ["a number instead of text", "string", "07", "the value is not a string"],
    [
      "an object without one of its members",
      ["object", { a: "string", b: "string" }],
      "81a161c0",
      "the object lacks b",
    ],
    ["an object with one too many", ["object", { a: "string" }], "82a161c0a162c0", "the object has unexpected b"],
    ["not a number", "number", "cb7ff8000000000000", "is not a number"],
    ["a truncated value", "string", "a568", "the value is truncated"],
    ["something after the value", "string", "a16868", "bytes are left over"],
  ];

  test.each(wrong)("%s is refused", (_, type, bytes, message) => {
    expect(() => decode(parseType(type), Buffer.from(bytes, "hex"))).toThrow(message);
  });
});

describe("MessagePack", () => {
  test("is decoded to what was encoded, for any value", () => {
    const packed = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constant(null),
        fc.boolean(),
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
        fc.double({ noNaN: true }),
        fc.string({ maxLength: 300, unit: "binary" }),
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.array(tie("value"), { maxLength: 20 }),
        fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 20 }).map((entries) => new Map(entries)),
      ),
    })).value as fc.Arbitrary<Parameters<typeof pack>[0]>;
    fc.assert(
      fc.property(packed, (value) => {
        expect(unpack(pack(value))).toEqual(value);
      }),
    );
  });
});

describe("numbers", () => {
  const same: [string | number | bigint, string][] = [
    ["1.50e2", "150"],
    ["0.000", "0"],
    ["-0", "0"],
    ["1e-3", "0.001"],
    ["100", "100"],
    [1e21, "1000000000000000000000"],
    [5e-324, `0.${"0".repeat(323)}5`],
    ["0012.3400", "12.34"],
  ];

  test.each(same)("%s is kept as %s", (written, kept) => {
    expect(Decimal.from(written).text).toBe(kept);
  });

  test("keep every digit in a state file", () => {
    expect(toJson({ n: Decimal.from("12345678901234567890.123456789") })).toBe('{"n":12345678901234567890.123456789}');
  });
});
