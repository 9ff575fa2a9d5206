import type { Format } from "./format.ts";

/**
 * The part of PVE::JSONSchema that the API uses: a description of one value. The property names are PVE's own, so that
 * an endpoint can be compared with the published API description member by member.
 */
export type Schema =
  | StringSchema
  | IntegerSchema
  | NumberSchema
  | BooleanSchema
  | ArraySchema
  | ObjectSchema
  | AnySchema;

interface SchemaBase {
  readonly optional?: boolean;
  /** Documentation only: PVE never sets defaults; each handler does so where it needs one. */
  readonly default?: string | number;
  /** Another property that must be given as well. */
  readonly requires?: string;
  /** In a property string: the key that may be given without its name. */
  readonly default_key?: boolean;
  /** In a property string: another name of the given key. */
  readonly alias?: string;
  /** With `alias`: the key that receives the name that was used (`virtio=<mac>` sets `model` and `macaddr`). */
  readonly keyAlias?: string;
}

interface ScalarSchema extends SchemaBase {
  readonly format?: Format;
  /** Must match the whole value. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
}

export interface StringSchema extends ScalarSchema {
  readonly type: "string";
}

export interface IntegerSchema extends ScalarSchema {
  readonly type: "integer";
}

export interface NumberSchema extends ScalarSchema {
  readonly type: "number";
}

export interface BooleanSchema extends SchemaBase {
  readonly type: "boolean";
}

export interface ArraySchema extends SchemaBase {
  readonly type: "array";
  readonly items: Schema;
}

export interface ObjectSchema extends SchemaBase {
  readonly type: "object";
  readonly properties: Properties;
  readonly additionalProperties?: boolean;
}

/** Not checked. */
export interface AnySchema extends SchemaBase {
  readonly type: "any";
}

export type Properties = Readonly<Record<string, Schema>>;

type Options<S extends Schema> = Omit<S, "type">;

export const string = <const O extends Options<StringSchema>>(options: O = {} as O) =>
  ({ type: "string", ...options }) as const;

export const integer = <const O extends Options<IntegerSchema>>(options: O = {} as O) =>
  ({ type: "integer", ...options }) as const;

export const number = <const O extends Options<NumberSchema>>(options: O = {} as O) =>
  ({ type: "number", ...options }) as const;

export const boolean = <const O extends Options<BooleanSchema>>(options: O = {} as O) =>
  ({ type: "boolean", ...options }) as const;

export const array = <const I extends Schema, const O extends Options<BooleanSchema>>(items: I, options: O = {} as O) =>
  ({ type: "array", items, ...options }) as const;

export const object = <const P extends Properties, const O extends Omit<ObjectSchema, "type" | "properties">>(
  properties: P,
  options: O = {} as O,
) => ({ type: "object", properties, ...options }) as const;

/** The same value, but optional. */
export const optional = <const S extends Schema>(schema: S) => ({ ...schema, optional: true }) as const;

/** A family of options such as `net0` … `net31`: `indexed("net", 32, schema)`. */
export function indexed<const Name extends string, const S extends Schema>(
  name: Name,
  count: number,
  schema: S,
): Readonly<Record<`${Name}${number}`, S>> {
  const names = Array.from({ length: count }, (_, index): `${Name}${number}` => `${name}${index}`);
  return Object.fromEntries(names.map((member) => [member, schema])) as Record<`${Name}${number}`, S>;
}

/**
 * The type of the value that a handler receives for a schema. Booleans remain PVE's 0 and 1, as they are stored and
 * answered.
 */
export type Value<S> = S extends { readonly type: "integer" | "number" }
  ? number
  : S extends { readonly type: "boolean" }
    ? 0 | 1
    : S extends { readonly type: "array"; readonly items: infer I }
      ? Value<I>[]
      : S extends { readonly type: "object"; readonly properties: infer P }
        ? Values<P>
        : S extends { readonly type: "any" }
          ? unknown
          : S extends { readonly enum: readonly (infer E)[] }
            ? E
            : string;

type OptionalKey<P, K extends keyof P> = string extends K
  ? K
  : K extends `${string}${number}`
    ? K
    : P[K] extends { readonly optional: true }
      ? K
      : never;

export type Values<P> = {
  -readonly [K in keyof P as OptionalKey<P, K> extends never ? K : never]: Value<P[K]>;
} & {
  -readonly [K in keyof P as OptionalKey<P, K>]?: Value<P[K]> | undefined;
};
