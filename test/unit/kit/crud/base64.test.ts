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

test.each([
  ["text that is not base64", '{"Authorization":"Bearer x"}', null],
  ["base64 of something else", Buffer.from("Bearer x").toString("base64"), null],
  ["a list", Buffer.from('["a"]').toString("base64"), null],
  ["nothing", Buffer.from("{}").toString("base64"), null],
  [
    "other values than texts",
    Buffer.from('{"a":1,"b":null,"c":"x"}').toString("base64"),
    { a: "1", b: "null", c: "x" },
  ],
])("what Proxmox VE stores without a check is no error: %s", (_, raw, shown) => {
  expect(base64Map.parse(raw)).toEqual(shown);
});
