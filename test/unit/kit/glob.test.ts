import { expect, test } from "vitest";
import { glob } from "../../../src/kit/glob.ts";

test.each([
  ["web-*", "web-1", true],
  ["web-*", "web-", true],
  ["web-*", "my-web-1", false],
  ["web-?", "web-1", true],
  ["web-?", "web-10", false],
  ["WEB-1", "web-1", true],
  ["web.1", "web-1", false],
  ["a+(b)[c]", "a+(b)[c]", true],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
])("%j matches %j: %s", (pattern, name, isMatch) => {
  expect(glob(pattern)(name)).toBe(isMatch);
});
