import { describe, expect, test } from "vitest";
import { bytesOf, mebibytes, sizeOf } from "#kit";

describe("sizes", () => {
  test.each([
    ["512", 512],
    ["4M", 4 * 2 ** 20],
    ["1.5G", 1.5 * 2 ** 30],
    ["2T", 2 * 2 ** 40],
    ["0", 0],
  ])("%s is a number of bytes", (text, bytes) => expect(bytesOf(text)).toBe(bytes));

  test.each(["", "8GB", "8 G", "-1G", "G", "1e3", "0.3"])("%j is none", (text) => expect(bytesOf(text)).toBeNull());

  test.each([
    [8192 * 2 ** 20, "8G"],
    [3584 * 2 ** 20, "3584M"],
    [528 * 2 ** 10, "528K"],
    [0, "0"],
    [7, "7"],
  ])("%d is printed in the largest unit that divides it", (bytes, text) => expect(sizeOf(bytes)).toBe(text));

  test("memory is counted in MiB by PVE, and survives the way there and back", () => {
    for (const size of ["16M", "8G", "2T"]) expect(mebibytes.parse(mebibytes.print(size))).toBe(size);
  });
});
