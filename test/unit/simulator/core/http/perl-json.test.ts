import { expect, test } from "vitest";
import { decodeJsonObject } from "../../../../../src/simulator/core/http/perl-json.ts";

const position = "at /usr/share/perl5/PVE/APIServer/AnyEvent.pm line 934.";

test("an object is taken as it is", () => {
  expect(decodeJsonObject('{"a":[1,null],"b":true}')).toEqual({ a: [1, null], b: true });
});

test.each([
  [
    "",
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 0 (before "(end of string)")',
  ],
  [
    '{"a":',
    'malformed JSON string, neither tag, array, object, number, string or atom, at character offset 5 (before "(end of string)")',
  ],
  ['{"a" 1}', `':' expected, at character offset 5 (before "1}")`],
  ['{"a":1', ', or } expected while parsing object/hash, at character offset 6 (before "(end of string)")'],
  ['{"a":[1 2]}', ', or ] expected while parsing array, at character offset 8 (before "2]}")'],
  ['{"a":"b', 'unexpected end of string while parsing JSON string, at character offset 7 (before "(end of string)")'],
  ["{} and then some more text", 'garbage after JSON object, at character offset 3 (before "and then some more t...")'],
  ["[1]", "Not a HASH reference"],
  ["5", `Can't use string ("5") as a HASH ref while "strict refs" in use`],
])("%s is refused with the text of JSON::XS", (text, complaint) => {
  expect(() => decodeJsonObject(text)).toThrow(`${complaint} ${position}`);
});
