import type { Attribute, Attributes } from "./attribute.ts";
import type { Type } from "./type.ts";

/**
 * The views of one type for the author of a resource. Only collections and nested attributes differ between the views;
 * a plain string is a string in all of them.
 */
export interface Views {
  config: unknown;
  planned: unknown;
  desired: unknown;
  state: unknown;
  observed: Returned;
  /** The possible continuations of the attribute's name in a path: `""`, `".keep_all"`, `` `.${string}.size` ``. */
  path: string;
}

/**
 * Any value. It is written out because TypeScript uses this constraint, before it has inferred the attributes, to
 * decide whether a word in a hook's result is that word or any string: with `unknown`, `return { zone: "a" }` would not
 * fit `oneOf(["a", "b"])`. `Word` does the same for words inside arrays and objects.
 */
type Returned = string | number | bigint | boolean | null | object | Word;
type Word = Lowercase<string> | readonly Word[] | { readonly [key: string]: Word };

/** The views of a type that is the same in all of them. */
export interface Plain<T> {
  config: T;
  planned: T;
  desired: T;
  state: T;
  observed: T;
  path: "";
}

export interface NullableViews<V extends Views> {
  config: V["config"] | null;
  planned: V["planned"] | null;
  desired: V["desired"] | null;
  state: V["state"] | null;
  observed: V["observed"] | null;
  path: V["path"];
}

export interface ListViews<V extends Views> {
  config: readonly (V["config"] | undefined)[];
  planned: readonly (V["planned"] | undefined)[];
  desired: readonly V["desired"][];
  state: readonly V["state"][];
  observed: readonly V["observed"][];
  path: "" | `.${number}${V["path"]}`;
}

/** As a list, but a path ends at a set, since Terraform cannot address its elements. */
export interface SetViews<V extends Views> extends Omit<ListViews<V>, "path"> {
  path: "";
}

export interface MapViews<V extends Views> {
  config: Readonly<Record<string, V["config"] | undefined>>;
  planned: Readonly<Record<string, V["planned"] | undefined>>;
  desired: Readonly<Record<string, V["desired"]>>;
  state: Readonly<Record<string, V["state"]>>;
  observed: Readonly<Record<string, V["observed"]>>;
  path: "" | `.${string}${V["path"]}`;
}

export type Members = { readonly [name: string]: Type };

export interface ObjectViews<M extends Members> {
  config: { readonly [K in keyof M]: ViewsOf<M[K]>["config"] | undefined };
  planned: { readonly [K in keyof M]: ViewsOf<M[K]>["planned"] | undefined };
  desired: { readonly [K in keyof M]: ViewsOf<M[K]>["desired"] };
  state: { readonly [K in keyof M]: ViewsOf<M[K]>["state"] };
  observed: { readonly [K in keyof M]: ViewsOf<M[K]>["observed"] };
  path: "" | { [K in keyof M & string]: `.${K}${ViewsOf<M[K]>["path"]}` }[keyof M & string];
}

export interface TupleViews<E extends readonly Type[]> {
  config: { readonly [I in keyof E]: ViewsOf<E[I]>["config"] | undefined };
  planned: { readonly [I in keyof E]: ViewsOf<E[I]>["planned"] | undefined };
  desired: { readonly [I in keyof E]: ViewsOf<E[I]>["desired"] };
  state: { readonly [I in keyof E]: ViewsOf<E[I]>["state"] };
  observed: { readonly [I in keyof E]: ViewsOf<E[I]>["observed"] };
  path: "" | `.${number}`;
}

export interface NestedViews<A extends Attributes> {
  config: Config<A>;
  planned: Planned<A>;
  desired: Desired<A>;
  state: State<A>;
  observed: Observed<A>;
  path: "" | `.${PathOf<A>}`;
}

export type ViewsOf<T extends Type> = T extends Type<infer V> ? V : never;

type View<T extends Attribute, S extends keyof Views> = ViewsOf<T["type"]>[S];

type IfMode<T extends Attribute, M extends Attribute["mode"], Then, Else> = T["mode"] extends M ? Then : Else;

/** Names of the attributes that a user may write. */
type Writable<A extends Attributes> = {
  [K in keyof A]: A[K]["mode"] extends "computed" ? never : K;
}[keyof A];

/** Names of the stored attributes: a write-only value is never stored. */
type Stored<A extends Attributes> = {
  [K in keyof A]: A[K] extends { readonly writeOnly: unknown } ? never : K;
}[keyof A];

/** Names of the attributes that `read` must return: local and write-only ones are not on the server. */
type Readable<A extends Attributes> = {
  [K in keyof A]: A[K] extends { readonly writeOnly: unknown } | { readonly local: true } ? never : K;
}[keyof A];

/** Names of the attributes that the provider may fill in. */
export type Computable<A extends Attributes> = {
  [K in keyof A]: A[K]["mode"] extends "computed" | "optional_computed" ? K : never;
}[keyof A];

/** The configuration of the user. `undefined`: not known yet; `null`: not given. */
export type Config<A extends Attributes> = {
  readonly [K in Writable<A>]: View<A[K], "config"> | undefined | IfMode<A[K], "required", never, null>;
};

/** The plan, computed values included. `undefined`: known after apply; `null`: not set. */
export type Planned<A extends Attributes> = {
  readonly [K in Stored<A>]: View<A[K], "planned"> | undefined | IfMode<A[K], "optional", null, never>;
};

/**
 * The target of create and update: no computed keys. `undefined`: leave it to the system (or, for a write-only value
 * with a trigger, leave it as it is); `null`: not set.
 */
export type Desired<A extends Attributes> = {
  readonly [K in Writable<A>]:
    | View<A[K], "desired">
    | IfMode<A[K], "optional", null, never>
    | IfMode<A[K], "optional_computed", undefined, never>
    | (A[K] extends { readonly writeOnly: object } ? undefined : never);
};

/**
 * The stored state. A computed value is `undefined` when it is not known: after an interrupted create, or in a state
 * older than the attribute.
 */
export type State<A extends Attributes> = {
  readonly [K in Stored<A>]:
    | View<A[K], "state">
    | IfMode<A[K], "optional", null, never>
    | IfMode<A[K], "computed" | "optional_computed", undefined, never>;
};

/** The result of `read`: all values on the server. Only an optional attribute may be absent (`null`). */
export type Observed<A extends Attributes> = {
  readonly [K in Readable<A>]: View<A[K], "observed"> | IfMode<A[K], "optional", null, never>;
};

/** The result of a data source or an ephemeral resource: its computed attributes, not its arguments. */
export type Found<A extends Attributes> = {
  readonly [K in Computable<A>]: View<A[K], "observed">;
};

/**
 * `"name"`, `"retention.keep_all"`, `"disks.scsi0.size"`: every path that a message can name, checked by the compiler.
 */
export type PathOf<A extends Attributes> = {
  [K in keyof A & string]: `${K}${View<A[K], "path">}`;
}[keyof A & string];
