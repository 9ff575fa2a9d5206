import type { Decimal } from "./decimal.ts";

/** A JSON value without loss in its numbers: beyond the range of `number` they are `bigint` or `Decimal`. */
export type Json =
  | null
  | boolean
  | string
  | number
  | bigint
  | Decimal
  | readonly Json[]
  | { readonly [key: string]: Json };
