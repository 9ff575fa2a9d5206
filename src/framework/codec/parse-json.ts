import type { Json } from "../values/json.ts";
import { parseNumber } from "../values/number.ts";
import { CodecError } from "./codec-error.ts";

/** Any number that a double might not hold exactly. A number inside a string matches too, which only costs time. */
const DELICATE = /\d{16}|\d[.eE]/;

/** Parses JSON without loss: numbers beyond a double become `bigint` or `Decimal`. Throws `CodecError`. */
export function parseJson(bytes: Uint8Array): Json {
  try {
    const source = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return DELICATE.test(source) ? JSON.parse(source, exactNumber) : JSON.parse(source);
  } catch (error) {
    if (error instanceof CodecError) throw error;
    throw new CodecError("well-formed JSON");
  }
}

function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== "number" || context?.source === undefined) return value;
  return parseNumber(context.source);
}
