import { describe, expect, it } from "vitest";
import { fromView, SchemaMismatch } from "../../../../src/framework/schema/from-view.ts";
import { formatPath } from "../../../../src/framework/schema/path.ts";
import { toView } from "../../../../src/framework/schema/to-view.ts";
import type { Type } from "../../../../src/framework/schema/type.ts";
import {
  bool,
  decimal,
  dynamic,
  int,
  list,
  map,
  nested,
  nullable,
  object,
  set,
  string,
  tuple,
} from "../../../../src/framework/schema/types.ts";
import { Decimal } from "../../../../src/framework/values/decimal.ts";
import { equal, type Value } from "../../../../src/framework/values/value.ts";

const thing = nested({
  name: { type: string(), mode: "required", doc: "" },
  label: { type: string(), mode: "optional", doc: "" },
  serial: { type: int(), mode: "computed", doc: "" },
  note: { type: string(), mode: "optional", local: true, doc: "" },
  secret: { type: string(), mode: "optional", writeOnly: true, doc: "" },
});
const good = { name: "a", label: null, serial: 1 };

describe("the result of a hook", () => {
  it.each<[string, Type, unknown, Value]>([
    ["a string, normalised as Terraform does", string(), "e\u0301", "\u00e9"],
    ["a string with half a character in it", string(), "a\ud800", "a\ufffd"],
    ["a number", int(), -0, 0],
    ["a bigint", int(), 5n, 5],
    ["a large number", decimal(), 2n ** 70n, 2n ** 70n],
    ["an exact number in any spelling", decimal(), new Decimal("1.50"), 1.5],
    ["a set with duplicates", set(string()), ["b", "a", "b"], ["a", "b"]],
    ["a map with any key", map(bool()), JSON.parse('{"__proto__":true}'), new Map([["__proto__", true]])],
    ["null among elements that may be null", list(nullable(int())), [1, null], [1, null]],
    ["a tuple", tuple([string(), int()]), ["a", 1], ["a", 1]],
    ["an object", object({ a: string() }), { a: "x" }, new Map([["a", "x"]])],
    [
      "attributes, without those that are not on the server",
      thing,
      good,
      new Map<string, Value>([
        ["name", "a"],
        ["label", null],
        ["serial", 1],
        ["note", null],
        ["secret", null],
      ]),
    ],
  ])("may be %s", (_, type, given, value) => {
    expect(fromView(type, given)).toEqual(value);
  });

  it.each<[string, Type, unknown, string]>([
    ["a number for a string", string(), 1, ": a string"],
    ["a string for a bool", bool(), "true", ": a boolean"],
    ["NaN", int(), Number.NaN, ": a number"],
    ["text for a number", int(), "1", ": a number"],
    ["an object for a list", list(string()), {}, ": an array"],
    ["a list for a map", map(string()), [], ": an object"],
    ["null among elements", list(string()), ["a", null], "[1]: a value"],
    ["a hole among elements", list(string()), ["a", undefined], "[1]: a value"],
    ["an object that lacks a member", object({ a: string() }), {}, "a: a value"],
    ["an object with another member", object({}), { a: 1 }, ': no attribute "a", since the schema has none'],
    ["a tuple that is too short", tuple([string()]), [], ": 1 elements"],
    ["nothing for an attribute", thing, { name: "a", label: null }, "serial: a value, or null"],
    [
      "null for what is required",
      thing,
      { ...good, name: null },
      "name: a value, since only an optional one may be null",
    ],
    [
      "null for what is computed",
      thing,
      { ...good, serial: null },
      "serial: a value, since only an optional one may be null",
    ],
    ["a local value", thing, { ...good, note: "x" }, "note: nothing, since the attribute is not read from the server"],
    [
      "a write-only value",
      thing,
      { ...good, secret: "x" },
      "secret: nothing, since the attribute is not read from the server",
    ],
    ["a function for a dynamic value", dynamic(), () => 1, ": a number"],
    ["something wrong deep inside", map(list(thing)), { k: [{ ...good, serial: "1" }] }, '["k"][0].serial: a number'],
  ])("may not be %s", (_, type, given, complaint) => {
    try {
      fromView(type, given);
    } catch (error) {
      if (!(error instanceof SchemaMismatch)) throw error;
      expect(`${formatPath(error.path)}: ${error.message}`).toBe(complaint);
      return;
    }
    throw new Error("no error was thrown");
  });

  it("may be any JSON value, where the type is dynamic", () => {
    const given = { a: [1, "x", null, { b: true }], big: 2n ** 70n };
    const value = fromView(dynamic(), given);
    expect(toView(dynamic(), value, "state")).toEqual(given);
    expect(equal(value, fromView(dynamic(), structuredClone(given)))).toBe(true);
  });
});

describe("the view for a hook", () => {
  const partial = fromView(thing, { name: "a", note: "n" }, "partial");

  it("of a missing computed value is undefined, not null", () => {
    expect(toView(thing, partial, "state")).toEqual({ name: "a", label: null, serial: undefined, note: "n" });
    expect(toView(thing, partial, "state")).not.toHaveProperty("secret");
  });

  it("of the desired object has no computed values", () => {
    expect(toView(thing, partial, "desired")).toEqual({ name: "a", label: null, note: "n", secret: null });
  });

  it("of a map has only the given keys", () => {
    const shown = toView(map(string()), new Map([["a", "x"]]), "state") as Record<string, string>;
    expect(shown["constructor"]).toBeUndefined();
    expect(Object.keys(shown)).toEqual(["a"]);
  });
});
