import { Wire } from "./wire-reader.ts";

/** `enum` values are plain numbers, as on the wire. */
export type Scalar = "bool" | "int32" | "uint32" | "int64" | "enum" | "string" | "bytes";

/** The type of a field. A message is given as a function, because messages refer to each other in circles. */
export type FieldType = Scalar | (() => Message<object>);

/**
 * - `plain`: always present; its default is not sent. A message has no default: it may be missing.
 * - `optional`: may be missing, and its default is sent.
 * - `oneof`: optional, and at most one of its group is present.
 * - `repeated`: an array. - `map`: an object; keys are strings.
 */
export type FieldRule = "plain" | "optional" | "oneof" | "repeated" | "map";

/** One row of a message's table: number on the wire, property, type, rule (`plain` if none), group of a oneof. */
export type Field = readonly [number: number, name: string, type: FieldType, rule?: FieldRule, group?: string];

/** A protobuf message as data: what `encode` and `decode` need. */
export interface Message<T extends object> {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Never set: it ties the table to its TypeScript type. */
  readonly example?: T;
}

/** At most one of these properties. */
export type OneOf<T> =
  | { [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: undefined } }[keyof T]
  | { [K in keyof T]?: undefined };

/** A message inside the codec. */
export type Values = Record<string, unknown>;

/** The value of a field that was not sent. */
export function defaultOf(type: Scalar): unknown {
  if (type === "bool") return false;
  if (type === "string") return "";
  if (type === "bytes") return new Uint8Array();
  return 0;
}

/** On the wire, a map is a repeated message of two fields. */
export function mapEntry(type: FieldType): Message<object> {
  return {
    name: "entry",
    fields: [
      [1, "key", "string"],
      [2, "value", type],
    ],
  };
}

/** Messages, strings and bytes are length-delimited; everything else is a varint. */
export function wireOf(type: FieldType): number {
  return typeof type !== "string" || type === "string" || type === "bytes" ? Wire.delimited : Wire.varint;
}
