import { expect, test } from "vitest";
import { decodeForm } from "../../../../../src/simulator/core/http/form.ts";

const bytes = (text: string) => Buffer.from(text, "utf8").toString("latin1");

test.each<[string, string, Record<string, unknown>]>([
  ["pairs are divided by ampersands", "a=1&b=2", { a: "1", b: "2" }],
  ["and by semicolons", "a=1;b=2", { a: "1", b: "2" }],
  ["a second equals sign truncates the value", "boot=order=scsi0", { boot: "order" }],
  ["unless it is encoded", "boot=order%3Dscsi0%3Bnet0", { boot: "order=scsi0;net0" }],
  ["a plus is a blank", "name=a+b", { name: "a b" }],
  ["an empty value is the empty text", "a=", { a: "" }],
  ["a name alone has no value", "a", { a: undefined }],
  ["a name twice makes a list", "a=1&a=2&a=3", { a: ["1", "2", "3"] }],
  ["values are UTF-8, encoded or not", `a=%C3%A4&b=${bytes("ö")}`, { a: "ä", b: "ö" }],
  ["separators at the end are dropped", "a=1&;&", { a: "1" }],
  ["in between they make a parameter without name", "a=1&&b=2", { a: "1", "": undefined, b: "2" }],
  ["a lone 0 is nothing to Perl", "0", {}],
  ["broken escapes stay", "a=100%&b=%zz", { a: "100%", b: "%zz" }],
])("%s", (_, text, expected) => {
  expect(decodeForm(text)).toEqual(expected);
});
