import type { Type } from "../schema/type.ts";
import type { ViewsOf } from "../schema/views.ts";
import type { Awaitable } from "./context.ts";

export interface Parameter<T extends Type = Type> {
  readonly type: T;
  readonly doc: string;
  /** Call the function even if the argument is not known yet (`undefined`); otherwise Terraform does not. */
  readonly allowUnknown?: boolean;
}

export type Parameters = { readonly [name: string]: Parameter };

/** A pure function, called without a configured provider. Parameters are in the order in which they are written. */
export interface FunctionDefinition<
  P extends Parameters = Parameters,
  V extends Parameters = Parameters,
  R extends Type = Type,
> {
  readonly name: string;
  readonly summary: string;
  readonly doc: string;
  readonly deprecated?: string;
  readonly parameters: P;
  /** One more parameter that takes any number of arguments and arrives as an array. */
  readonly variadic?: V;
  readonly returns: R;
  call(args: Arguments<P, V>, context: FunctionContext<P, V>): Awaitable<ViewsOf<R>["observed"]>;
}

export type Arguments<P extends Parameters, V extends Parameters> = {
  readonly [K in keyof P]: ViewsOf<P[K]["type"]>["config"] | (P[K] extends { allowUnknown: true } ? undefined : never);
} & { readonly [K in keyof V]: readonly ViewsOf<V[K]["type"]>["config"][] };

export interface FunctionContext<P extends Parameters, V extends Parameters> {
  /** Refuses an argument; `index` selects one argument of a variadic parameter. */
  fail(parameter: (keyof P | keyof V) & string, message: string, index?: number): never;
}
