import { Decimal } from "./decimal.ts";

/**
 * A number in its canonical form: a `number` if a double holds it exactly as written in decimal, else a `bigint` if it
 * is whole, else a `Decimal`. Never NaN, never minus zero. Terraform compares numbers by their shortest decimal text,
 * so it considers two numbers equal exactly when their canonical forms are.
 */
export type Numeric = number | bigint | Decimal;

/** More digits than any real number has. A longer number stays the text that it is, since calculating it would take minutes. */
const MAX_DIGITS = 4096;

const SYNTAX = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** Reads decimal text, or null if it is not a number. */
export function parseNumber(text: string): Numeric | null {
  const match = SYNTAX.exec(text);
  if (match === null) return null;
  if (text.length > 2 * MAX_DIGITS) return new Decimal(text);
  const [, sign = "", whole = "", fraction = "", power = "0"] = match;
  const digits = (whole + fraction).replace(/^0+/, "");
  const coefficient = digits.replace(/0+$/, "");
  if (coefficient === "") return 0;
  const exponent = Number(power) - fraction.length + (digits.length - coefficient.length);
  if (Math.abs(exponent) + coefficient.length > MAX_DIGITS) return new Decimal(text);
  const minus = sign === "-" ? "-" : "";
  return exponent >= 0 ? wholeNumber(minus, coefficient, exponent) : fractional(minus, coefficient, -exponent);
}

/** The canonical form of a double or bigint, or null for NaN. A double that is whole represents its exact value. */
export function toNumeric(value: number | bigint): Numeric | null {
  if (typeof value === "number") {
    if (Number.isNaN(value)) return null;
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return value === 0 ? 0 : value;
    return BigInt(value);
  }
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/** Plain decimal text; `Infinity` and `-Infinity` for infinities. */
export function formatNumber(value: Numeric): string {
  if (typeof value !== "number" || Number.isInteger(value) || !Number.isFinite(value)) return String(value);
  const text = String(value);
  return text.includes("e") ? plain(text) : text;
}

/** A number of many digits, as a reader can take it in: `1e999`, or its first digits. */
export function shortNumber(value: Numeric): string {
  const [, sign = "", whole = "", fraction = "", power = "0"] = SYNTAX.exec(formatNumber(value)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const coefficient = digits.replace(/0+$/, "");
  const exponent = Number(power) - fraction.length + (digits.length - coefficient.length);
  if (coefficient.length > 40) return `${sign}${coefficient.slice(0, 40)}…`;
  return `${sign === "-" ? "-" : ""}${coefficient || "0"}e${exponent}`;
}

function wholeNumber(minus: string, coefficient: string, zeros: number): number | bigint {
  const exact = BigInt(minus + coefficient + "0".repeat(zeros));
  const double = Number(exact);
  return Number.isSafeInteger(double) ? double : exact;
}

function fractional(minus: string, coefficient: string, places: number): number | Decimal {
  const text = minus + insertPoint(coefficient, places);
  const double = Number(text);
  return formatNumber(double) === text ? double : new Decimal(text);
}

function insertPoint(coefficient: string, places: number): string {
  const padded = coefficient.padStart(places + 1, "0");
  return `${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** Rewrites the exponent form that JavaScript prints for small doubles. */
function plain(text: string): string {
  const [mantissa = "", power = "0"] = text.split("e");
  const minus = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  return minus + insertPoint(whole + fraction, fraction.length - Number(power));
}
