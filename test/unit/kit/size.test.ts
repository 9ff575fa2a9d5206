import { describe, expect, test } from "vitest";
import { bytesOf, mebibytes, size, sizeOf } from "#kit";

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

  const fault = (multipleOf: "M" | "K", text: string, min?: string) =>
    size({ multipleOf, ...(min && { min }) }).checks.map((check) => check(text))[0];

  test.each<["M" | "K", string, string | undefined]>([
    ["K", "20G", undefined],
    ["K", "0", undefined],
    ["K", "20", "write `20G`"],
    ["M", "4096", "write `4096M`"],
    ["K", "20GB", "Write `20G`."],
    ["K", "20 GiB", "Write `20G`."],
    ["K", "20g", "Write `20G`."],
    ["K", "0.03T", "such as `31G`"],
    ["M", "1.0001G", "such as `2G`"],
    ["M", "1500K", "a whole number of mebibytes (M), such as `2M`"],
    ["K", "8191T", undefined],
    ["K", "8192T", "too large: must be less than `8192T`"],
    ["K", "999999T", "too large"],
    ["K", "999999 TiB", "too large"],
    ["M", "9007199254740993", "too large"],
    ["K", "large", "Must be a number and one of the units K, M, G and T"],
    ["K", "-1G", "Must be a number and one of the units"],
  ])("in steps of 1%s, %j gets its message", (multipleOf, text, message) => {
    const said = fault(multipleOf, text);
    if (message === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(message);
  });

  test("a size that is too small says how large it must be", () => {
    expect(fault("M", "1M", "16M")).toBe("Must be at least 16M.");
  });

  test("memory is in MiB for PVE, and round-trips", () => {
    for (const size of ["16M", "8G", "2T"]) expect(mebibytes.parse(mebibytes.print(size))).toBe(size);
  });
});
