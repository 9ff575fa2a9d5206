import type { Decimal } from "../values/decimal.ts";
import type { Json } from "../values/json.ts";
import type { Attributes } from "./attribute.ts";
import { atLeast, atMost, eachDiffers, eachKey, isOneOf, itemsAtLeast, itemsAtMost } from "./checks.ts";
import type { Allowed, Check, Shape, Type } from "./type.ts";
import type {
  ListViews,
  MapViews,
  Members,
  NestedViews,
  NullableViews,
  ObjectViews,
  Plain,
  SetViews,
  TupleViews,
  Views,
} from "./views.ts";

export interface TypeOptions<T> {
  /** Called with known values only. */
  readonly check?: Check<T> | readonly Check<T>[];
  /** Called with known values only; see `Type.same`. */
  readonly same?: (a: T, b: T) => boolean;
}

export interface NumberOptions<T> extends TypeOptions<T> {
  readonly min?: number;
  readonly max?: number;
}

export interface CollectionOptions {
  readonly min?: number;
  readonly max?: number;
}

export interface MapOptions extends CollectionOptions {
  /** What a key must be. */
  readonly keys?: Check<string>;
}

/** The one place where a runtime type gets its views for authors. */
function make<V extends Views, T>(
  shape: Shape,
  options: TypeOptions<T> & { readonly allowed?: Allowed } = {},
  implied: readonly Check<T>[] = [],
) {
  const { check = [], same, allowed } = options;
  const type = {
    shape,
    checks: [...implied, ...(typeof check === "function" ? [check] : check)],
    nullable: false,
    ...(allowed === undefined ? {} : { allowed }),
    ...(same === undefined ? {} : { same }),
  };
  return type as unknown as Type<V>;
}

export const string = (options?: TypeOptions<string>) => make<Plain<string>, string>({ kind: "string" }, options);

export const bool = (options?: TypeOptions<boolean>) => make<Plain<boolean>, boolean>({ kind: "bool" }, options);

/** A whole number that a JavaScript `number` holds exactly; validation refuses anything else. */
export const int = (options: NumberOptions<number> = {}) =>
  make<Plain<number>, number>({ kind: "number", as: "int" }, { ...options, allowed: bounds(options) }, range(options));

/** A number that a JavaScript `number` holds exactly as written (`0.1` is one); anything more precise is refused. */
export const number = (options: NumberOptions<number> = {}) =>
  make<Plain<number>, number>(
    { kind: "number", as: "number" },
    { ...options, allowed: bounds(options) },
    range(options),
  );

/** Any number Terraform can express, without loss. */
export const decimal = (options?: TypeOptions<number | bigint | Decimal>) =>
  make<Plain<number | bigint | Decimal>, number | bigint | Decimal>({ kind: "number", as: "decimal" }, options);

/** One of a fixed list of words. */
export const oneOf = <const W extends string>(words: readonly W[], options?: TypeOptions<W>) =>
  make<Plain<W>, W>({ kind: "string" }, { ...options, allowed: { words } }, [isOneOf(words)]);

/** A value whose type is known only when it is given. Authors see plain JSON-like values. */
export const dynamic = (options?: TypeOptions<Json>) => make<Plain<Json>, Json>({ kind: "dynamic" }, options);

export const list = <V extends Views>(element: Type<V>, options: CollectionOptions = {}) =>
  make<ListViews<V>, readonly unknown[]>({ kind: "list", element }, {}, items(options));

/** Authors see an array in no particular order and without duplicates. */
export const set = <V extends Views>(element: Type<V>, options: CollectionOptions = {}) =>
  make<SetViews<V>, readonly unknown[]>({ kind: "set", element }, {}, [
    ...items(options),
    ...(element.same ? [eachDiffers(element.same)] : []),
  ]);

export const map = <V extends Views>(element: Type<V>, { keys, ...options }: MapOptions = {}) =>
  make<MapViews<V>, object>({ kind: "map", element }, {}, [...items(options), ...(keys ? [eachKey(keys)] : [])]);

export const tuple = <const E extends readonly Type[]>(elements: E) =>
  make<TupleViews<E>, readonly unknown[]>({ kind: "tuple", elements });

/** An object whose members are all required; for members with their own modes use `nested`. */
export const object = <const M extends Members>(members: M) =>
  make<ObjectViews<M>, object>({ kind: "object", members });

/**
 * An object made of attributes: an attribute's type, or the element of its `list`, `set` or `map`. An object in which
 * nothing is set is taken for a mistake and causes a warning, unless it `mayBeEmpty`.
 */
export const nested = <const A extends Attributes>(
  attributes: A,
  { mayBeEmpty = false } = {},
): Type<NestedViews<A>> => ({
  ...make<NestedViews<A>, object>({ kind: "nested", attributes }),
  ...(mayBeEmpty && { mayBeEmpty }),
});

/** Allows null: as an element, a member of an object, an argument of a function, or a computed value. */
export const nullable = <V extends Views>(type: Type<V>) =>
  ({ ...type, nullable: true }) as unknown as Type<NullableViews<V>>;

const bounds = ({ min, max }: NumberOptions<number>): Allowed => ({
  ...(min === undefined ? {} : { min }),
  ...(max === undefined ? {} : { max }),
});

const range = ({ min, max }: NumberOptions<number>): Check<number>[] => [
  ...(min === undefined ? [] : [atLeast(min)]),
  ...(max === undefined ? [] : [atMost(max)]),
];

const items = ({ min, max }: CollectionOptions): Check<object>[] => [
  ...(min === undefined ? [] : [itemsAtLeast(min)]),
  ...(max === undefined ? [] : [itemsAtMost(max)]),
];
