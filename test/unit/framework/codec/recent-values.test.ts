import { expect, test } from "vitest";
import { encodeValue } from "../../../../src/framework/codec/dynamic-value.ts";
import { RecentValues } from "../../../../src/framework/codec/recent-values.ts";
import { list, string } from "../../../../src/framework/schema/types.ts";

const words = list(string());

test("a value that arrives again is the same one", () => {
  const values = new RecentValues();
  const first = values.decode(words, encodeValue(words, ["a", "b"]));
  expect(first).toEqual(["a", "b"]);
  expect(values.decode(words, encodeValue(words, ["a", "b"]))).toBe(first);
});

test("the same bytes of another type are decoded by that type", () => {
  const values = new RecentValues();
  const other = list(list(string()));
  values.decode(words, encodeValue(words, []));
  expect(values.decode(other, encodeValue(other, [["a"]]))).toEqual([["a"]]);
  expect(() => values.decode(list(list(string())), encodeValue(words, ["a"]))).toThrow("a sequence");
});

test("only the last values are kept, and no long ones", () => {
  const values = new RecentValues();
  const early = values.decode(words, encodeValue(words, ["early"]));
  for (let index = 0; index < 64; index++) values.decode(words, encodeValue(words, [`${index}`]));
  expect(values.decode(words, encodeValue(words, ["early"]))).not.toBe(early);
  const long = encodeValue(words, ["x".repeat(100_000)]);
  expect(values.decode(words, long)).not.toBe(values.decode(words, long));
});
