import { expect, test } from "vitest";
import { type Attribute, int, list, oneOf, string } from "#framework";
import { document } from "../../../../src/framework/schema/document.ts";

const size = oneOf(["s", "m"]);

test.each<[string, Attribute["type"], string, Attribute["replace"]?]>([
  ["Size. One of `s`, `m`.", size, "Size."],
  ["`s` is small, `m` is not.", size, "`s` is small, `m` is not."],
  ["Sizes. Any of `s`, `m`.", list(size), "Sizes."],
  ["Cores. At least 1.", int({ min: 1 }), "Cores."],
  ["Cores. At most 8.", int({ max: 8 }), "Cores."],
  ["Cores. From 1 to 8.", int({ min: 1, max: 8 }), "Cores."],
  ["Cores, 1 to 8.", int({ min: 1, max: 8 }), "Cores, 1 to 8."],
  ["Name. Changing it means a new object.", string(), "Name.", true],
  ["Name.", string(), "Name.", { when: "if it is odd" }],
])("has the text: %s", (text, type, doc, replace) => {
  const attribute: Attribute = { type, mode: "optional", doc, ...(replace === undefined ? {} : { replace }) };
  expect(document(attribute)).toBe(text);
});
