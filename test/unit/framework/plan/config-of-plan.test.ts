import { describe, expect, it } from "vitest";
import { configOfPlan } from "../../../../src/framework/plan/config-of-plan.ts";
import { map, nested, string } from "../../../../src/framework/schema/types.ts";
import { UNKNOWN } from "../../../../src/framework/values/unknown.ts";
import type { Value } from "../../../../src/framework/values/value.ts";

const argument = (doc = "") => ({ type: string(), mode: "optional_computed", keep: true, doc }) as const;
const slot = nested({ vlan: argument() });
const attributes = {
  cores: argument(),
  slots: { type: map(slot), mode: "optional_computed", keep: true, byKey: true, doc: "" },
} as const;

const object = (cores: Value, slots: Record<string, Value> = {}): Value =>
  new Map<string, Value>([
    ["cores", cores],
    ["slots", new Map(Object.entries(slots).map(([key, vlan]) => [key, new Map([["vlan", vlan]])]))],
  ]);

describe("the configuration that a plan was made with", () => {
  it.each<[string, { prior: Value; config: Value; planned: Value; restored: Value }, Value]>([
    [
      "has an ignored argument, which the plan keeps although it was removed",
      { prior: object("6"), config: object(null), planned: object("6"), restored: object("2") },
      object("6"),
    ],
    [
      "does not have an argument that is undone",
      { prior: object("6"), config: object(null), planned: object("2"), restored: object("2") },
      object(null),
    ],
    [
      "does not have a value that nothing would change",
      { prior: object("6"), config: object(null), planned: object("6"), restored: object("6") },
      object(null),
    ],
    [
      "does not have a value whose original is not known",
      { prior: object("6"), config: object(null), planned: object("6"), restored: object(UNKNOWN) },
      object(null),
    ],
    [
      "has what was written",
      { prior: object("6"), config: object("8"), planned: object("8"), restored: object("6") },
      object("8"),
    ],
    [
      "has an ignored key of a map, and not one that leaves it",
      {
        prior: object(null, { a: "1", b: "1", c: "1" }),
        config: object(null, { a: "1" }),
        planned: object(null, { a: "1", b: "1" }),
        restored: object(null, { a: "1" }),
      },
      object(null, { a: "1", b: "1" }),
    ],
    [
      "has an ignored argument inside an element",
      {
        prior: object(null, { a: "20" }),
        config: object(null, { a: null }),
        planned: object(null, { a: "20" }),
        restored: object(null, { a: "1" }),
      },
      object(null, { a: "20" }),
    ],
  ])("%s", (_, change, expected) => {
    expect(configOfPlan({ attributes, ...change })).toEqual(expected);
  });
});
