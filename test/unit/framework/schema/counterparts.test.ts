import { describe, expect, it } from "vitest";
import { counterparts } from "../../../../src/framework/schema/counterparts.ts";
import { fromView } from "../../../../src/framework/schema/from-view.ts";
import { int, list, map, nested, string } from "../../../../src/framework/schema/types.ts";
import { setAt } from "../../../../src/framework/values/place.ts";
import { UNKNOWN } from "../../../../src/framework/values/unknown.ts";
import type { Value } from "../../../../src/framework/values/value.ts";

const rule = nested({
  port: { type: int(), mode: "optional_computed", doc: "" },
  action: { type: string(), mode: "optional", doc: "" },
  id: { type: string(), mode: "computed", doc: "" },
  hits: {
    type: list(
      nested({
        from: { type: string(), mode: "optional", doc: "" },
        count: { type: int(), mode: "computed", doc: "" },
      }),
    ),
    mode: "optional",
    doc: "",
  },
  tags: { type: map(nested({ made: { type: string(), mode: "computed", doc: "" } })), mode: "optional", doc: "" },
});
const element = (given: object): Value => fromView(rule, given, "partial");
const find = (elements: object[], others: object[]) => {
  const candidates = others.map(element);
  return counterparts(rule, elements.map(element), candidates).map((found) => candidates.indexOf(found));
};

describe("the counterpart of an element of a set", () => {
  it.each<[string, object[], object[], number[]]>([
    ["is the equal one", [{ action: "b" }], [{ action: "a" }, { action: "b" }], [1]],
    [
      "is the one that has more computed values",
      [{ action: "b" }],
      [
        { action: "a", id: "1" },
        { action: "b", id: "2" },
      ],
      [1],
    ],
    ["is the one that has fewer", [{ action: "b", id: "2" }], [{ action: "b" }], [0]],
    ["is none that differs in what is configured", [{ action: "b" }], [{ action: "c", id: "1" }], [-1]],
    [
      "is found within lists and maps as well",
      [{ hits: [{ from: "x" }], tags: { t: {} } }],
      [
        { hits: [{ from: "y", count: 1 }], tags: { t: { made: "m" } } },
        { hits: [{ from: "x", count: 1 }], tags: { t: { made: "m" } } },
      ],
      [1],
    ],
    [
      "is used once: elements with the fewest candidates are matched first",
      [{}, { port: 1 }],
      [
        { port: 1, id: "a" },
        { port: 2, id: "b" },
      ],
      [1, 0],
    ],
    [
      "may be missing, if the other set is smaller",
      [{ action: "a" }, { action: "a", port: 1 }],
      [{ action: "a", port: 1, id: "x" }],
      [0, -1],
    ],
  ])("%s", (_, elements, others, expected) => {
    expect(find(elements, others)).toEqual(expected);
  });

  it("is not one that is unknown where this one is empty", () => {
    const vague = setAt(element({ action: "a" }), [{ attribute: "hits" }], UNKNOWN);
    expect(counterparts(rule, [vague], [element({ action: "a", hits: [], id: "1" })])).toEqual([null]);
  });
});
