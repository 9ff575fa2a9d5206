import type { Type } from "../schema/type.ts";
import { bool, decimal, dynamic, list, map, object, set, string, tuple } from "../schema/types.ts";
import type { CtyType } from "../server.ts";
import { CodecError, MAX_DEPTH } from "./codec-error.ts";

/** A type in Terraform's JSON form: `"string"`, `["list","number"]`, `["object",{…}]`. */
export function toCtyType({ shape }: Type): CtyType {
  switch (shape.kind) {
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return shape.kind;
    case "list":
    case "set":
    case "map":
      return [shape.kind, toCtyType(shape.element)];
    case "tuple":
      return ["tuple", shape.elements.map(toCtyType)];
    case "object":
      return ["object", mapValues(shape.members, toCtyType)];
    case "nested":
      return ["object", mapValues(shape.attributes, ({ type }) => toCtyType(type))];
  }
}

/** Equal types have equal signatures. */
export const signatureOf = (type: Type): string => JSON.stringify(toCtyType(type));

/** The type of a value that carries its own. */
export function parseCtyType(json: unknown, depth = 0): Type {
  if (depth > MAX_DEPTH) throw new CodecError("a type that is not nested so deeply");
  if (json === "string") return string();
  if (json === "bool") return bool();
  if (json === "number") return decimal();
  if (json === "dynamic") return dynamic();
  if (!Array.isArray(json)) throw new CodecError("a type");
  const [kind, inner]: unknown[] = json;
  if (kind === "list") return list(parseCtyType(inner, depth + 1));
  if (kind === "set") return set(parseCtyType(inner, depth + 1));
  if (kind === "map") return map(parseCtyType(inner, depth + 1));
  if (kind === "tuple" && Array.isArray(inner)) return tuple(inner.map((type) => parseCtyType(type, depth + 1)));
  if (kind === "object" && typeof inner === "object" && inner !== null) {
    return object(mapValues(inner as Record<string, unknown>, (type) => parseCtyType(type, depth + 1)));
  }
  throw new CodecError("a type");
}

/** Sorted, and safe for any key. */
function mapValues<T, R>(record: Readonly<Record<string, T>>, convert: (value: T) => R): Record<string, R> {
  const result: Record<string, R> = Object.create(null);
  for (const key of Object.keys(record).sort()) result[key] = convert(record[key] as T);
  return result;
}
