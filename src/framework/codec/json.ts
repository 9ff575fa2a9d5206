import { type MemberTypes, memberTypes, type Type } from "../schema/type.ts";
import { Decimal } from "../values/decimal.ts";
import type { Json } from "../values/json.ts";
import { formatNumber, type Numeric, parseNumber, toNumeric } from "../values/number.ts";
import { Unknown } from "../values/unknown.ts";
import { Dynamic, isList, setOf, text, type Value } from "../values/value.ts";
import { at, CodecError, MAX_DEPTH } from "./codec-error.ts";
import { parseCtyType, signatureOf } from "./cty-type.ts";

/**
 * Reads a value of the given type from parsed JSON, as stored states contain it. Missing attributes are null, and
 * attributes that the schema no longer has are dropped: a state may be older or newer than the schema of its version.
 * Throws `CodecError`.
 */
export function fromJson(type: Type, json: Json, depth = 0): Value {
  if (depth > MAX_DEPTH) throw new CodecError("a value that is not nested so deeply");
  if (json === null) return null;
  const { shape } = type;
  switch (shape.kind) {
    case "string":
      return readString(json);
    case "bool":
      return readBool(json);
    case "number":
      return readNumber(json);
    case "list":
      return readElements(json).map((element, index) =>
        at({ index }, () => fromJson(shape.element, element, depth + 1)),
      );
    case "set":
      return setOf(readElements(json).map((element) => fromJson(shape.element, element, depth + 1)));
    case "tuple": {
      const elements = readElements(json);
      if (elements.length !== shape.elements.length) throw new CodecError(`${shape.elements.length} elements`);
      return shape.elements.map((of, index) => at({ index }, () => fromJson(of, elements[index] ?? null, depth + 1)));
    }
    case "map":
      return new Map(
        Object.entries(readObject(json)).map(([key, member]) => [
          text(key),
          at({ key }, () => fromJson(shape.element, member, depth + 1)),
        ]),
      );
    case "object":
    case "nested":
      return readMembers(memberTypes(shape), json, depth);
    case "dynamic":
      return readDynamic(json, depth);
  }
}

function readMembers(members: MemberTypes, json: Json, depth: number): Value {
  const given = readObject(json);
  return new Map(
    members.map(([attribute, type]) => {
      const member = Object.hasOwn(given, attribute) ? (given[attribute] ?? null) : null;
      return [attribute, at({ attribute }, () => fromJson(type, member, depth + 1))];
    }),
  );
}

/** Terraform itself converts between strings and numbers or bools where an old state has the other type. */
function readString(json: Json): string {
  if (typeof json === "string") return text(json);
  if (typeof json === "boolean") return String(json);
  if (isNumeric(json)) return formatNumber(json);
  throw new CodecError("a string");
}

function readBool(json: Json): boolean {
  if (typeof json === "boolean") return json;
  if (json === "true" || json === "1") return true;
  if (json === "false" || json === "0") return false;
  throw new CodecError("a bool");
}

function readNumber(json: Json): Numeric {
  if (json instanceof Decimal) return json;
  const value =
    typeof json === "string"
      ? parseNumber(json)
      : typeof json === "number" || typeof json === "bigint"
        ? toNumeric(json)
        : null;
  if (value === null) throw new CodecError("a number");
  return value;
}

function readElements(json: Json): readonly Json[] {
  if (!Array.isArray(json)) throw new CodecError("a sequence");
  return json;
}

function readObject(json: Json): { readonly [key: string]: Json } {
  if (typeof json !== "object" || json === null || Array.isArray(json) || json instanceof Decimal) {
    throw new CodecError("an object");
  }
  return json as { readonly [key: string]: Json };
}

function readDynamic(json: Json, depth: number): Value {
  const { type: described, value } = readObject(json);
  if (described === undefined || value === undefined) throw new CodecError("a value with its type");
  const type = parseCtyType(described);
  const read = fromJson(type, value, depth + 1);
  return type.shape.kind === "dynamic" ? read : new Dynamic(type, signatureOf(type), read);
}

const isNumeric = (json: unknown): json is Numeric =>
  typeof json === "number" || typeof json === "bigint" || json instanceof Decimal;

/** The reverse of `fromJson`: a known value as plain JSON, without loss. */
export function toStoredJson(value: Value): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (value instanceof Dynamic) return { type: JSON.parse(value.signature) as Json, value: toStoredJson(value.value) };
  if (value instanceof Unknown) throw new CodecError("a known value");
  if (isNumeric(value)) return Number.isSafeInteger(value) ? value : formatNumber(value);
  if (isList(value)) return value.map(toStoredJson);
  return Object.fromEntries([...value].map(([key, member]) => [key, toStoredJson(member)]));
}
