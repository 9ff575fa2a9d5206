import { expect, test } from "vitest";
import { inOrder } from "../../../src/kit/in-order.ts";

test.each<{ what: string; pairs: string[]; ordered: string[] }>([
  { what: "by the first key", pairs: ["b x", "a y"], ordered: ["a y", "b x"] },
  { what: "among equals by the next", pairs: ["a y", "b x", "a x"], ordered: ["a x", "a y", "b x"] },
  { what: "letter by letter, whatever the language", pairs: ["ä x", "z x", "B x"], ordered: ["B x", "z x", "ä x"] },
  { what: "as they were if they are equal", pairs: ["a x", "a x"], ordered: ["a x", "a x"] },
])("sorts $what", ({ pairs, ordered }) => {
  expect(inOrder(pairs, (pair) => pair.split(" "))).toEqual(ordered);
});
