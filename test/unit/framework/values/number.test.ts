import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal } from "../../../../src/framework/values/decimal.ts";
import {
  formatNumber,
  type Numeric,
  parseNumber,
  shortNumber,
  toNumeric,
} from "../../../../src/framework/values/number.ts";

describe("reading decimal text", () => {
  it.each<[string, Numeric]>([
    ["0", 0],
    ["-0", 0],
    ["0.000", 0],
    ["007", 7],
    ["42", 42],
    ["-42.0", -42],
    ["1e3", 1000],
    ["1.5E+2", 150],
    ["0.1", 0.1],
    ["1e-7", 1e-7],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["1e30", 10n ** 30n],
    ["0.1000000000000000055511151231257827", new Decimal("0.1000000000000000055511151231257827")],
    ["1e-400", new Decimal(`0.${"0".repeat(399)}1`)],
  ])("reads %s exactly", (text, value) => {
    expect(parseNumber(text)).toEqual(value);
  });

  it.each(["", "-", ".5", "1.2.3", "0x10", "1e", "NaN", "Infinity", " 1", "1\n"])("refuses %j", (text) => {
    expect(parseNumber(text)).toBeNull();
  });
});

describe("a number of more digits than are calculated with", () => {
  it.each(["1e99999", "-1e9999999", "1e-9999", "9".repeat(9_000), `1${"0".repeat(9_999)}`])(
    "stays as it is: %j",
    (text) => {
      expect(parseNumber(text)).toEqual(new Decimal(text));
    },
  );

  it.each<[string, string]>([
    [`1${"0".repeat(999)}`, "1e999"],
    [`-125${"0".repeat(9_999)}`, "-125e9999"],
    ["1e-9999", "1e-9999"],
    ["9".repeat(9_000), `${"9".repeat(40)}…`],
  ])("is shown in few words", (text, shown) => {
    expect(shortNumber(parseNumber(text) ?? 0)).toBe(shown);
  });
});

describe("the canonical form", () => {
  const numerals = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.tuple(fc.bigInt(), fc.integer({ min: -60, max: 60 })).map(([digits, power]) => `${digits}e${power}`),
  );

  it("is the same for every spelling of one number", () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(50), fc.nat(9), (digits, places, zeros) => {
        const pad = "0".repeat(zeros);
        const one = parseNumber(`${digits}e-${places}`);
        expect(parseNumber(`${digits}${pad}e-${places + zeros}`)).toEqual(one);
      }),
    );
  });

  it("round-trips through its text", () => {
    fc.assert(
      fc.property(numerals, (numeral) => {
        const value = parseNumber(numeral);
        expect(value).not.toBeNull();
        if (value !== null) expect(parseNumber(formatNumber(value))).toEqual(value);
      }),
    );
  });

  it("of any double is that double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(Number(parseNumber(String(double)))).toBe(double === 0 ? 0 : double);
      }),
    );
  });

  it.each<[number | bigint, Numeric | null]>([
    [Number.NaN, null],
    [-0, 0],
    [2 ** 53, 9007199254740992n],
    [5n, 5],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("of %s is %s", (given, value) => {
    expect(toNumeric(given)).toEqual(value);
  });
});
