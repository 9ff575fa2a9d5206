import type { Around, Conversion } from "./conversions.ts";
import type { Fields } from "./fields.ts";
import type { Block } from "./hcl/document.ts";
import type { Dynamic } from "./hcl/dynamic.ts";
import type { Expr } from "./hcl/expr.ts";
import type { Obj, Value } from "./hcl/output.ts";
import type { Translation } from "./translation.ts";

/** An attribute of theirs that is the key, the place with a prefix, or a number in an attribute with a prefix. */
export interface Key {
  readonly attribute?: string;
  readonly prefix?: string;
  readonly otherwise?: string;
  /** What stands before an attribute that is only a number, where the attribute is the whole key otherwise. */
  readonly number?: string;
}

/** Repeated blocks that become entries of a map or of a list. */
export interface Family {
  /** The map or list here. */
  readonly into: string;
  /** What names an entry: an attribute of theirs, or its place with this prefix. A map has names of its own. */
  readonly key: "list" | "map" | Key;
  /** The attribute that is the whole entry, and what it is when not given. */
  readonly value?: { readonly attribute: string; readonly otherwise: string };
  /** Entries lie over those of another family with the same keys. */
  readonly isLayer?: boolean;
  /** What follows from several attributes of an entry. */
  readonly finish?: (entry: Obj, slot: string, fields: Fields, translation: Translation) => void;
}

/** What has to be known about a type besides the names of its attributes. */
export interface Shape {
  /** Places of attributes that the table lacks. */
  readonly rows?: Readonly<Record<string, string>>;
  readonly families?: Readonly<Record<string, Family>>;
  /** Attributes whose values have another form here. */
  readonly conversions?: Readonly<Record<string, Conversion>>;
  /** Attributes that say whether a block counts: `audio_device.enabled`. */
  readonly switches?: readonly string[];
  /** Attributes that need more than a conversion. */
  readonly handlers?: Readonly<Record<string, (given: Given, translation: Translation) => void>>;
  /** Blocks that are read in a way of their own. */
  readonly blocks?: Readonly<Record<string, (block: Block, translation: Translation, dynamic?: Dynamic) => void>>;
  /** By block or object of theirs: attributes that have a value where they are not given, as an expression for here. */
  readonly absent?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Attributes that say nothing here. */
  readonly quiet?: readonly string[];
  /** What follows from several attributes, or from missing ones. */
  readonly finish?: (translation: Translation) => void;
  /** Why an object stays with its provider; undefined: it can be translated. */
  readonly stays?: (translation: Translation) => string | undefined;
  /** Another type here that an object is, by what it gives, with the places of its attributes there. */
  readonly instead?: (translation: Translation) => Variant | undefined;
  /** Whether nothing takes its place: it only has to go. */
  readonly isDropped?: boolean;
  /** The attribute here that has the value of their `id`. */
  readonly id?: string;
  /** Lists that are maps here: the list as it was, for the address of an object. */
  readonly lists?: Readonly<Record<string, (address: string) => string>>;
  /** References that the table does not describe: `[["ipv4_addresses", …], …]`. */
  readonly references?: readonly (readonly [pattern: RegExp, text: string])[];
  /** The ID for an import, of attributes here. */
  readonly importId?: (value: (name: string) => string | undefined) => string | undefined;
}

export interface Variant {
  readonly target: string;
  readonly rows: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

/** An argument where it is given. */
export interface Given {
  readonly path: string;
  readonly value: Expr;
  readonly line: number;
  readonly around: Around;
  /** Puts a value at a place here, with the comments of the argument. */
  put(target: string, value: Value): void;
}
