import { expect, test } from "vitest";
import { isSameChecksum, parseChecksum } from "../../../../src/resources/storage/checksum.ts";

test.each([
  [32, "md5"],
  [40, "sha1"],
  [56, "sha224"],
  [64, "sha256"],
  [96, "sha384"],
  [128, "sha512"],
])("%i digits are %s, named or not", (length, algorithm) => {
  const value = "0a".repeat(length / 2);
  expect(parseChecksum(value)).toEqual({ algorithm, value });
  expect(parseChecksum(`${algorithm.toUpperCase()}:${value.toUpperCase()}`)).toEqual({ algorithm, value });
});

test.each(["", "sha256:", "abc", `md5:${"0".repeat(64)}`, `${"0".repeat(63)}g`])("%s is not a checksum", (text) => {
  expect(parseChecksum(text)).toBeNull();
});

test("spelling does not matter, the algorithm does", () => {
  expect(isSameChecksum("A".repeat(64), `sha256:${"a".repeat(64)}`)).toBe(true);
  expect(isSameChecksum("a".repeat(64), "a".repeat(40))).toBe(false);
});
