import { Wire } from "./wire-reader.ts";

/** `enum` values are plain numbers, as on the wire. */
export type Scalar = "bool" | "int32" | "uint32" | "int64" | "enum" | "string" | "bytes";

/** The type of a field. A message comes as a function, because messages refer to each other in circles. */
export type FieldType = Scalar | (() => Message<object>);

/**
 * - `plain`: always there, and its default is not sent. A message has no default: it may be missing.
 * - `optional`: may be missing, and its default is sent.
 * - `oneof`: optional, and at most one of its group is there.
 * - `repeated`: an array. - `map`: an object; keys are strings.
 */
export type FieldRule = "plain" | "optional" | "oneof" | "repeated" | "map";

/** One row of a message's table: number on the wire, property, type, rule (`plain` if none), group of a oneof. */
export type Field = readonly [number: number, name: string, type: FieldType, rule?: FieldRule, group?: string];

/** A protobuf message as data: what `encode` and `decode` need to know. */
export interface Message<T extends object> {
  readonly name: string;
  readonly fields: readonly Field[];
  /** Never there: it ties the table to its TypeScript type. */
  readonly example?: T;
}

/** At most one of these properties. */
export type OneOf<T> =
  | { [K in keyof T]: { [P in K]: T[P] } & { [P in Exclude<keyof T, K>]?: undefined } }[keyof T]
  | { [K in keyof T]?: undefined };

/** A message as the codec sees it. */
export type Values = Record<string, unknown>;

/** What a field means that was not sent. */
export function defaultOf(type: Scalar): unknown {
  if (type === "bool") return false;
  if (type === "string") return "";
  if (type === "bytes") return new Uint8Array();
  return 0;
}

/** A map is on the wire a repeated message of two fields. */
export function mapEntry(type: FieldType): Message<object> {
  return {
    name: "entry",
    fields: [
      [1, "key", "string"],
      [2, "value", type],
    ],
  };
}

/** Messages, strings and bytes say how long they are; everything else is a varint. */
export function wireOf(type: FieldType): number {
  return typeof type !== "string" || type === "string" || type === "bytes" ? Wire.delimited : Wire.varint;
}
