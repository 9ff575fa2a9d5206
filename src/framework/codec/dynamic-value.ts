import type { Type } from "../schema/type.ts";
import type { DynamicValue } from "../server.ts";
import type { Value } from "../values/value.ts";
import { fromJson } from "./json.ts";
import { decodeMsgpack, encodeMsgpack } from "./msgpack.ts";
import { parseJson } from "./parse-json.ts";

/** Reads a value from Terraform in either of its two encodings; throws `CodecError`. An empty message is null. */
export function decodeValue(type: Type, { msgpack, json }: DynamicValue): Value {
  if (msgpack !== undefined && msgpack.length > 0) return decodeMsgpack(type, msgpack);
  if (json !== undefined && json.length > 0) return fromJson(type, parseJson(json));
  return null;
}

/** Responses are always in MessagePack: Terraform's protocol asks providers not to rely on support for JSON. */
export const encodeValue = (type: Type, value: Value): DynamicValue => ({ msgpack: encodeMsgpack(type, value) });
