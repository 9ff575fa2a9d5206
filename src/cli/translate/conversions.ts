import { sizeOf } from "#kit";
import { quote } from "../../resources/functions/import-text.ts";
import type { Expr } from "./hcl/expr.ts";
import { Obj, Raw, type Value } from "./hcl/output.ts";
import { joinPieces, splitPieces } from "./hcl/pieces.ts";

/** What surrounds a value while it is converted. */
export interface Around {
  /** Whether an expression may be null, as far as declarations say. */
  mayBeNull(text: string): boolean;
  /** The default of a variable that means "not set" to the other providers: `""`, or a number that is not above 0. */
  emptyOf?(text: string): "text" | "number" | undefined;
  /** Whether the configuration reads an address of this VM, which only its guest knows. */
  usesAddressOf?(address: string): boolean;
}

/** A value in the form that it has here; undefined: leave it out, the value says nothing. */
export type Conversion = (value: Expr, around: Around) => Value | undefined;

export const text = (value: string): Raw => new Raw(quote(value));
export const raw = (value: string): Raw => new Raw(value);
export const obj = (members: Readonly<Record<string, Value | undefined>>): Obj => {
  const object = new Obj();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) object.set(name, value);
  return object;
};

/** An expression in a place where operators around it bind. */
export const bound = (expression: string): string =>
  /^[\w.[\]"-]+$|^\w+\([^()]*\)$/.test(expression) ? expression : `(${expression})`;

/** A function of an expression; a heredoc has to end with its line. */
export const call = (before: string, { text: inner, isFixed }: Expr, after: string): Raw =>
  new Raw(`${before}${inner}${isFixed ? "\n" : ""}${after}`, isFixed);

/** An expression around another that only has a meaning if that one is not null. */
export const unlessNull = (value: Expr, around: Around, expression: string): Raw =>
  raw(around.mayBeNull(value.text) ? `${bound(value.text)} == null ? null : ${expression}` : expression);

export const same: Conversion = (value, around) => {
  if (value.isNull) return undefined;
  return around.emptyOf?.(value.text) === "text" ? raw(`${value.text} == "" ? null : ${value.text}`) : value.raw;
};

const sized =
  (unit: "M" | "G", bytes: number): Conversion =>
  (value, around) => {
    if (value.isNull) return undefined;
    if (value.number !== undefined) return text(sizeOf(value.number * bytes));
    const sized = `"\${${value.text}}${unit}"`;
    if (around.emptyOf?.(value.text) === "number") return raw(`${value.text} > 0 ? ${sized} : null`);
    return unlessNull(value, around, sized);
  };

/** A number of MiB, and of GiB, as a size. */
export const mebibytes = sized("M", 2 ** 20);
export const gibibytes = sized("G", 2 ** 30);

/** A size that may be a plain number of GiB. */
export const sizeText: Conversion = (value, around) => {
  const [amount] = /^\d+(\.\d+)?$/.exec(value.string ?? "") ?? [];
  if (value.number !== undefined && (amount !== undefined || value.string === undefined))
    return gibibytes(value, around);
  const known = /^(\d+(?:\.\d+)?)\s*([KMGT])i?B?$/i.exec(value.string ?? "");
  return known ? text(`${known[1]}${known[2]?.toUpperCase()}`) : same(value, around);
};

/** A number as a text. */
export const asText: Conversion = (value, around) =>
  value.number !== undefined && value.string === undefined ? text(value.text) : same(value, around);

/** Zero and less say "not set". */
export const count: Conversion = (value, around) => {
  if (value.number !== undefined && value.number <= 0) return undefined;
  const isEmpty = around.emptyOf?.(value.text) === "number";
  return isEmpty ? raw(`${value.text} > 0 ? ${value.text} : null`) : same(value, around);
};

/** A switch whose default is on: only "off" says something. */
export const unlessOn = (value: Expr, around: Around, off: string): Raw =>
  raw(`${around.mayBeNull(value.text) ? `coalesce(${value.text}, true)` : value.text} ? null : ${off}`);

const yes = new Set(["1", "on", "true", "yes"]);

/** `true`, `1` or `"on"`. */
export const flag: Conversion = (value, around) => {
  const word = value.string ?? (value.number === undefined ? undefined : String(value.number));
  return word === undefined ? same(value, around) : raw(String(yes.has(word)));
};

/** A switch by number: an expression is compared. */
export const one: Conversion = (value) => {
  if (value.boolean !== undefined) return raw(String(value.boolean));
  if (value.number !== undefined) return raw(String(value.number === 1));
  return value.isNull ? undefined : raw(`${bound(value.text)} == 1`);
};

/** `"on"` as true, whatever else as false. */
export const isWord =
  (word: string): Conversion =>
  (value, around) => {
    if (value.string !== undefined) return raw(String(value.string === word));
    if (value.boolean !== undefined || value.isNull) return same(value, around);
    return raw(`${bound(value.text)} == ${quote(word)}`);
  };

export const opposite: Conversion = (value) => {
  if (value.boolean !== undefined) return raw(String(!value.boolean));
  return value.isNull ? undefined : raw(`!${bound(value.text)}`);
};

/** A text with separators as a list. */
export const words =
  (separator: RegExp, plain: string): Conversion =>
  (value, around) => {
    if (value.isNull || value.items !== undefined) return same(value, around);
    const pieces = value.pieces;
    if (pieces !== undefined) {
      const parts = splitPieces(pieces, separator).map((part) => raw(joinPieces(part)));
      // An expression within may itself have separators.
      if (pieces.every((piece) => "literal" in piece)) return parts;
      if (pieces.length > 1) return parts;
    }
    return unlessNull(value, around, `compact(split(${quote(plain)}, ${value.text}))`);
  };

/** One text as a list of one. */
export const listOf: Conversion = (value, around) =>
  value.isNull ? undefined : unlessNull(value, around, `[${value.text}]`);

/** The sum of a file with the name of its algorithm, which the other providers give beside it. */
export function checksum(value: Expr, algorithm: Expr | undefined, around: Around): Value | undefined {
  if (value.isNull || value.string === "") return undefined;
  const name = algorithm?.string ?? (algorithm ? `\${${algorithm.text}}` : "sha256");
  const whole = `"${name}:${value.string ?? `\${${value.text}}`}"`;
  const isEmpty = around.emptyOf?.(value.text) === "text";
  return isEmpty ? raw(`${value.text} == "" ? null : ${whole}`) : unlessNull(value, around, whole);
}

/** Lines of a text, without empty ones. */
export const lines: Conversion = (value, around) => {
  if (value.isNull) return undefined;
  if (value.string !== undefined) return [value.raw];
  const before = !value.isFixed && around.mayBeNull(value.text) ? `${bound(value.text)} == null ? null : ` : "";
  return call(`${before}[for line in split("\\n", `, value, ') : trimspace(line) if trimspace(line) != ""]');
};
