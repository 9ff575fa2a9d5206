import type { Piece } from "./expr.ts";

/** Pieces of a template, cut where its text has a separator. */
export function splitPieces(pieces: readonly Piece[], separator: RegExp): Piece[][] {
  const parts: Piece[][] = [[]];
  for (const piece of pieces) {
    if ("expression" in piece) parts.at(-1)?.push(piece);
    else {
      const [first = "", ...more] = piece.literal.split(separator);
      if (first !== "") parts.at(-1)?.push({ literal: first });
      for (const text of more) parts.push(text === "" ? [] : [{ literal: text }]);
    }
  }
  return parts.filter((part) => part.length > 0);
}

/** Pieces as an expression. Their texts come from a configuration and are escaped there. */
export function joinPieces(pieces: readonly Piece[]): string {
  const [first, ...more] = pieces;
  if (first !== undefined && more.length === 0 && "expression" in first) return first.expression;
  return `"${pieces.map((piece) => ("literal" in piece ? piece.literal : `\${${piece.expression}}`)).join("")}"`;
}

/** `ip=192.0.2.1/24,gw=…` with expressions in it, by name; undefined: a part of it has no name. */
export function optionPieces(pieces: readonly Piece[]): ReadonlyMap<string, Piece[]> | undefined {
  const options = new Map<string, Piece[]>();
  for (const [first, ...more] of splitPieces(pieces, /,/)) {
    const [, name, rest = ""] = (first && "literal" in first && /^\s*([\w-]+)=(.*)$/s.exec(first.literal)) || [];
    if (name === undefined) return undefined;
    options.set(name, [...(rest === "" ? [] : [{ literal: rest }]), ...more]);
  }
  return options;
}
