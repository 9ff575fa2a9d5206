import type { Decimal } from "./decimal.ts";

/** A JSON value whose numbers lost nothing: beyond the reach of `number` they are `bigint` or `Decimal`. */
export type Json =
  | null
  | boolean
  | string
  | number
  | bigint
  | Decimal
  | readonly Json[]
  | { readonly [key: string]: Json };
