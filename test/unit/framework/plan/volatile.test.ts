import { describe, expect, it } from "vitest";
import { holdToPlan } from "../../../../src/framework/plan/volatile.ts";
import { list, string } from "../../../../src/framework/schema/types.ts";
import { UNKNOWN } from "../../../../src/framework/values/unknown.ts";
import type { Value } from "../../../../src/framework/values/value.ts";

const attributes = {
  name: { type: string(), mode: "required", doc: "" },
  status: { type: string(), mode: "computed", volatile: true, doc: "" },
  addresses: { type: list(string()), mode: "computed", volatile: true, doc: "" },
} as const;
const object = (name: Value, status: Value, addresses: Value): Value =>
  new Map([
    ["name", name],
    ["status", status],
    ["addresses", addresses],
  ]);

describe("a volatile value that differs from the plan", () => {
  it.each<[string, Value, Value, Value, string[]]>([
    [
      "is stored as planned",
      object("a", "up", ["x"]),
      object("a", "down", ["x"]),
      object("a", "up", ["x"]),
      ["status"],
    ],
    [
      "is taken where the plan left it open",
      object("a", UNKNOWN, [UNKNOWN]),
      object("a", "b", ["c"]),
      object("a", "b", ["c"]),
      [],
    ],
    [
      "is not excused where it is no volatile one",
      object("a", "up", []),
      object("b", "up", []),
      object("b", "up", []),
      [],
    ],
    ["does not bring back an object that is gone", object("a", "up", []), null, null, []],
  ])("%s", (_, planned, found, state, names) => {
    expect(holdToPlan(attributes, planned, found)).toEqual({ state, names });
  });
});
