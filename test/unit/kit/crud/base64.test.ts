import { expect, test } from "vitest";
import { base64Map, base64Text } from "#kit";

test("a text is kept in base64, whatever is in it", () => {
  expect(base64Text.print("line 1\nü")).toBe("bGluZSAxCsO8");
  expect(base64Text.parse("bGluZSAxCsO8")).toBe("line 1\nü");
});

test("a map is kept as JSON in base64, in the order of its keys", () => {
  const raw = Buffer.from('{"a":"1","b":"ü"}').toString("base64");
  expect(base64Map.print({ b: "ü", a: "1" })).toBe(raw);
  expect(base64Map.parse(raw)).toEqual({ a: "1", b: "ü" });
});
