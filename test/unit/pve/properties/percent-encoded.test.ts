import { expect, test } from "vitest";
import { decodePercent } from "../../../../src/pve/properties/percent-encoded.ts";

test.each([
  ["an escaped text", "a%20%C3%BC", "a ü"],
  ["an escape without a number", "100%zz", "100%zz"],
  ["bytes that are not UTF-8", "%ff", "%ff"],
  ["the sign alone", "%", "%"],
])("%s is read without an error", (_, raw, text) => {
  expect(decodePercent(raw)).toBe(text);
});
