import { joined, latin, padded, wide } from "./bytes.ts";
import { continuation, rockRidgeFile, rockRidgeParent, rockRidgeRoot } from "./rock-ridge.ts";

/**
 * One of the two trees of names over the same files. Linux reads Rock Ridge in the first and ignores the second; Windows
 * reads the second, Joliet, and neither finds `user-data` among the short names of plain ISO 9660.
 */
export interface Naming {
  /** 1 and 2: primary and supplementary volume descriptor. */
  readonly descriptor: 1 | 2;
  /** The character set of the names; zeroes are plain ISO 9660. */
  readonly escapes: Uint8Array;
  /** A field of the descriptor, filled up with blanks. */
  field(text: string, length: number): Uint8Array;
  /** What a file is called in its record. */
  identifier(name: string): Uint8Array;
  /** What stands behind a record, in the system use field: of the root itself, of its parent, of a file. */
  extras(record: "root" | "parent" | { readonly name: string }, continuesAt: number): Uint8Array;
  /** What had no room there. */
  readonly continuation: Uint8Array;
}

/** `user-data` in the letters and the length of level 1: `USER_DAT.` and its version. */
const shortName = (name: string): string =>
  `${name
    .toUpperCase()
    .replace(/[^A-Z0-9_]/g, "_")
    .slice(0, 8)}.;1`;

export const rockRidge: Naming = {
  descriptor: 1,
  escapes: new Uint8Array(32),
  field: (text, length) => latin(text.padEnd(length)),
  identifier: (name) => latin(shortName(name)),
  extras(record, continuesAt) {
    if (record === "root") return rockRidgeRoot(continuesAt);
    return record === "parent" ? rockRidgeParent() : rockRidgeFile(record.name);
  },
  continuation,
};

export const joliet: Naming = {
  descriptor: 2,
  escapes: padded(latin("%/E"), 32),
  field: (text, length) => padded(joined(wide(text.padEnd(length >> 1))), length),
  identifier: wide,
  extras: () => new Uint8Array(),
  continuation: new Uint8Array(),
};
