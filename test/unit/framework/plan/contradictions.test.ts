import { describe, expect, it } from "vitest";
import { contradictions } from "../../../../src/framework/plan/contradictions.ts";
import { fromView } from "../../../../src/framework/schema/from-view.ts";
import { formatPath } from "../../../../src/framework/schema/path.ts";
import type { Type } from "../../../../src/framework/schema/type.ts";
import { int, list, map, nested, object, set, string, tuple } from "../../../../src/framework/schema/types.ts";
import { setAt } from "../../../../src/framework/values/place.ts";
import { UNKNOWN } from "../../../../src/framework/values/unknown.ts";
import { setOf, type Value } from "../../../../src/framework/values/value.ts";

const person = nested({
  name: { type: string(), mode: "required", doc: "" },
  age: { type: int(), mode: "computed", doc: "" },
});
const value = (type: Type, given: unknown) => fromView(type, given, "partial");
const vague = (name: string): Value => setAt(value(person, { name }), [{ attribute: "age" }], UNKNOWN);

describe("a result that differs from the plan", () => {
  it.each<[string, Type, Value, Value, string[]]>([
    ["nothing, if both are the same", string(), "a", "a", []],
    ["nothing, if the plan was unknown", string(), UNKNOWN, "a", []],
    ["another value", string(), "a", "b", [" is not what was planned"]],
    ["a value that is absent", string(), "a", null, [" was planned, but is absent"]],
    ["a value that was planned to be absent", string(), null, "a", [" was planned to be absent, but is there"]],
    ["a list that is longer", list(int()), [1], [1, 2], [" has more or fewer elements than planned"]],
    ["an element", list(int()), [1, 2], [1, 3], ["[1] is not what was planned"]],
    [
      "a key",
      map(int()),
      value(map(int()), { a: 1 }),
      value(map(int()), { b: 1 }),
      ['["a"] was planned, but is absent'],
    ],
    [
      "a member",
      object({ x: int() }),
      value(object({ x: int() }), { x: 1 }),
      value(object({ x: int() }), { x: 2 }),
      ["x is not what was planned"],
    ],
    ["part of a tuple", tuple([int(), int()]), [1, 2], [1, 3], ["[1] is not what was planned"]],
    [
      "nested values, except unknown ones",
      person,
      vague("ann"),
      value(person, { name: "bob", age: 7 }),
      ["name is not what was planned"],
    ],
    ["nothing in a set with the same elements", set(int()), [1, 2], [1, 2], []],
    ["an element of a set", set(int()), [1, 2], [1, 3], [" does not have the elements that were planned"]],
    [
      "nothing in a set that became known",
      set(person),
      setOf([vague("ann")]),
      value(set(person), [{ name: "ann", age: 7 }]),
      [],
    ],
    ["nothing in a set whose elements became equal", set(int()), setOf([UNKNOWN, UNKNOWN]), [1], []],
    ["a set that grew", set(int()), setOf([UNKNOWN]), [1, 2], [" does not have the elements that were planned"]],
  ])("is %s", (_, type, planned, actual, expected) => {
    const found = contradictions(type, planned, actual);
    expect(found.map(({ path, problem }) => `${formatPath(path)} ${problem}`)).toEqual(expected);
  });
});
