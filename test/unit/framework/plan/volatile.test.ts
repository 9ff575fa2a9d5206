import { describe, expect, it } from "vitest";
import { keepPlannedVolatile } from "../../../../src/framework/plan/volatile.ts";
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
      "is stored where the plan was unknown",
      object("a", UNKNOWN, [UNKNOWN]),
      object("a", "b", ["c"]),
      object("a", "b", ["c"]),
      [],
    ],
    [
      "is not accepted for an attribute that is not volatile",
      object("a", "up", []),
      object("b", "up", []),
      object("b", "up", []),
      [],
    ],
    ["does not restore a deleted object", object("a", "up", []), null, null, []],
  ])("%s", (_, planned, found, state, names) => {
    expect(keepPlannedVolatile(attributes, planned, found)).toEqual({ state, names });
  });
});
