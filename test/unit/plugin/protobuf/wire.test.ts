import protobuf from "protobufjs";
import { describe, expect, test } from "vitest";
import { decode } from "../../../../src/plugin/protobuf/decode.ts";
import { encode } from "../../../../src/plugin/protobuf/encode.ts";
import type { Message } from "../../../../src/plugin/protobuf/message.ts";
import { MalformedMessage } from "../../../../src/plugin/protobuf/wire-reader.ts";

/** Every kind of field; Terraform's protocol uses most of them rarely or not at all. */
interface Sample {
  count: number;
  text: string;
  flag: boolean;
  numbers: number[];
  inner?: Sample;
  labels: Record<string, string>;
  perhaps?: string;
  left?: string;
  right?: number;
}

const Sample: Message<Sample> = {
  name: "Sample",
  fields: [
    [1, "count", "int64"],
    [2, "text", "string"],
    [3, "flag", "bool"],
    [4, "numbers", "int64", "repeated"],
    [5, "inner", () => Sample],
    [6, "labels", "string", "map"],
    [7, "perhaps", "string", "optional"],
    [8, "left", "string", "oneof", "side"],
    [9, "right", "int64", "oneof", "side"],
  ],
};

const proto = `
  syntax = "proto3";
  message Sample {
    int64 count = 1; string text = 2; bool flag = 3; repeated int64 numbers = 4; Sample inner = 5;
    map<string, string> labels = 6; optional string perhaps = 7; oneof side { string left = 8; int64 right = 9; }
  }`;
const other = protobuf.parse(proto).root.lookupType("Sample");

const blank: Sample = { count: 0, text: "", flag: false, numbers: [], labels: {} };
const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("decode", () => {
  test.each<[string, string, Partial<Sample>]>([
    ["reads zero bytes as a message of defaults", "", {}],
    ["reads a number over several bytes", "08 ac02", { count: 300 }],
    ["reads a negative number", "08 ffffffffffffffffff01", { count: -1 }],
    ["reads the largest exact number", "08 ffffffffffffff0f", { count: Number.MAX_SAFE_INTEGER }],
    ["reads the smallest exact number", "08 81808080808080f0ff01", { count: Number.MIN_SAFE_INTEGER }],
    ["reads a number beyond 2^53 as the nearest one", "08 ffffffffffffffff7f", { count: 2 ** 63 }],
    ["reads a number with redundant bytes", "08 8180808000", { count: 1 }],
    ["reads any number but 0 as true", "18 8080808010", { flag: true }],
    ["lets the last of several values win", "0801 0802", { count: 2 }],
    ["reads packed numbers", "2203 01 ac02", { numbers: [1, 300] }],
    ["reads numbers one by one", "2001 20ac02", { numbers: [1, 300] }],
    ["joins both forms", "2001 2202 0203", { numbers: [1, 2, 3] }],
    ["merges two pieces of a nested message", "2a02 0805 2a03 120178", { inner: { ...blank, count: 5, text: "x" } }],
    ["fills in missing parts of a map entry", "3200", { labels: { "": "" } }],
    ["distinguishes an empty optional from a missing one", "3a00", { perhaps: "" }],
    ["keeps the last of a group", "4201 61 4807", { right: 7 }],
    ["skips unknown fields of every wire type", "f80101 f90100000000000000ff fa010161 fd0101020304 0801", { count: 1 }],
    ["skips an unknown group with a group inside", "fb01 f301f401 0805 fc01 0801", { count: 1 }],
    ["skips a known number of another wire type", "0a0161 10 07 0801", { count: 1 }],
  ])("%s", (_, bytes, expected) => {
    expect(decode(Sample, hex(bytes))).toEqual({ ...blank, ...expected });
  });

  test.each<[string, string, RegExp]>([
    ["a truncated number", "08", /truncated/],
    ["a number of eleven bytes", "08 ffffffffffffffffffff01", /longer than 64 bits/],
    ["a number beyond 64 bits", "08 ffffffffffffffffff02", /longer than 64 bits/],
    ["a string longer than the message", "12 05 61", /truncated/],
    ["a string of nearly 4 GiB", "12 ffffffff0f 61", /truncated/],
    ["a length beyond 32 bits", "12 ffffffff1f", /32 bits/],
    ["a string that is not UTF-8", "12 02 c328", /UTF-8/],
    ["a truncated nested message", "2a05 0801", /truncated/],
    ["a nested message that reaches beyond its parent", "2a03 2a04 08 01 0802", /truncated/],
    ["a string that reaches beyond its message", "2a02 1205 6161616161", /truncated/],
    ["the field number 0", "00 01", /number 0/],
    ["a field number beyond 29 bits", "88808080100101", /32 bits/],
    ["a wire type that does not exist", "0e", /wire type 6/],
    ["the end of a group that never began", "0c", /wire type 4/],
    ["a group that ends as another", "0b 14", /ended as 2/],
    ["a group that never ends", "0b 1001", /truncated/],
  ])("refuses %s", (_, bytes, expected) => {
    expect(() => decode(Sample, hex(bytes))).toThrow(MalformedMessage);
    expect(() => decode(Sample, hex(bytes))).toThrow(expected);
  });

  test("refuses nesting deeper than any schema, in messages and in unknown groups", () => {
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth <= 100; depth++) nested = wrap(nested);
    expect(() => decode(Sample, nested)).toThrow(/nested deeper/);
    expect(() => decode(Sample, Buffer.alloc(100_000, 0x0b))).toThrow(/nested deeper/);
  });

  test('keeps the key "__proto__" like any other', () => {
    const { labels } = decode(Sample, encode(Sample, { ...blank, labels: JSON.parse('{"__proto__": "mine"}') }));
    expect(Object.entries(labels)).toEqual([["__proto__", "mine"]]);
  });
});

describe("encode", () => {
  test.each<[string, Partial<Sample>]>([
    ["packed numbers", { numbers: [0, 1, -1, 300, 2 ** 31, 2 ** 32, 2 ** 35, -(2 ** 40)] }],
    ["one of a group, even if it is a default", { right: 0 }],
    ["an optional default", { perhaps: "" }],
    ["strings of every plane", { text: "aé€😀\u0000" }],
    ["nested messages", { inner: { ...blank, inner: { ...blank, labels: { a: "1", b: "" } } } }],
  ])("writes %s in the same form as another implementation", (_, value) => {
    const bytes = encode(Sample, { ...blank, ...value });
    const read = other.toObject(other.decode(bytes), { longs: Number, arrays: true, objects: true, defaults: true });
    expect(read).toMatchObject(value);
    expect(decode(Sample, other.encode(other.fromObject(read)).finish())).toEqual({ ...blank, ...value });
  });

  test("leaves defaults out", () => {
    expect(encode(Sample, blank)).toHaveLength(0);
  });

  test.each([Number.NaN, 0.5, 2 ** 53])("refuses the number %d, which would change in transit", (count) => {
    expect(() => encode(Sample, { ...blank, count })).toThrow(RangeError);
  });
});

/** Another level of `inner`. */
function wrap(bytes: Buffer): Buffer {
  const length = bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >>> 7];
  return Buffer.concat([Buffer.from([0x2a, ...length]), bytes]);
}
