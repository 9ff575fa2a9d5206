import { decode, ExtData, type ExtensionCodecType, encode } from "@msgpack/msgpack";
import { type MemberTypes, memberTypes, type Type } from "../schema/type.ts";
import { Decimal } from "../values/decimal.ts";
import { formatNumber, type Numeric, parseNumber, toNumeric } from "../values/number.ts";
import { UNKNOWN, Unknown } from "../values/unknown.ts";
import { Dynamic, elementsOf, memberOf, membersOf, setOf, text, type Value, type ValueMap } from "../values/value.ts";
import { at, CodecError, MAX_DEPTH } from "./codec-error.ts";
import { parseCtyType, signatureOf } from "./cty-type.ts";
import { parseJson } from "./parse-json.ts";

/** Refined unknown values have this extension code; the plain one has code 0 and one meaningless byte. */
const REFINED = 12;

/** Every extension is an unknown value, whatever its code; only the payload of a refinement has a meaning. */
const extensionCodec: ExtensionCodecType<undefined> = {
  decode: (payload, code) => (code === REFINED ? new Unknown(payload.slice()) : UNKNOWN),
  tryToEncode: (value) => {
    if (!(value instanceof Unknown)) return null;
    return value.refinement ? new ExtData(REFINED, value.refinement) : new ExtData(0, new Uint8Array(1));
  },
};

/**
 * The library refuses the key `__proto__`, since it builds plain objects, but a Terraform map may contain it. So that
 * key (and any key that begins with its replacement) gets a NUL in front when decoded, and `realKey` removes it again.
 */
const keyDecoder = {
  canBeCached: () => true,
  decode(bytes: Uint8Array, offset: number, length: number): string {
    return safeKey(Buffer.from(bytes.buffer, bytes.byteOffset + offset, length).toString());
  },
};

const safeKey = (key: string): string => (key === "__proto__" || key.startsWith("\0") ? `\0${key}` : key);

const realKey = (key: string): string => (key.startsWith("\0") ? key.slice(1) : key);

/** Reads a value of the given type; throws `CodecError`. */
export function decodeMsgpack(type: Type, bytes: Uint8Array): Value {
  return read(type, unpack(bytes), 0);
}

export function encodeMsgpack(type: Type, value: Value): Uint8Array {
  return encode(write(type, value), { extensionCodec, useBigInt64: true, maxDepth: 3 * MAX_DEPTH });
}

function unpack(bytes: Uint8Array): unknown {
  // No collection has more elements than there are bytes; a header that claims more would reserve gigabytes.
  const limit = { maxArrayLength: bytes.length, maxMapLength: bytes.length };
  try {
    return decode(bytes, { extensionCodec, keyDecoder, useBigInt64: true, ...limit });
  } catch {
    throw new CodecError("well-formed MessagePack");
  }
}

function read({ shape }: Type, raw: unknown, depth: number): Value {
  if (depth > MAX_DEPTH) throw new CodecError("a value that is not nested so deeply");
  if (raw === null) return null;
  if (raw instanceof Unknown) return raw;
  switch (shape.kind) {
    case "string":
      if (typeof raw !== "string") throw new CodecError("a string");
      return text(raw);
    case "bool":
      if (typeof raw !== "boolean") throw new CodecError("a bool");
      return raw;
    case "number":
      return readNumber(raw);
    case "list":
      return readElements(raw).map((element, index) => at({ index }, () => read(shape.element, element, depth + 1)));
    case "set":
      return setOf(readElements(raw).map((element) => read(shape.element, element, depth + 1)));
    case "tuple":
      return readTuple(shape.elements, raw, depth);
    case "map":
      return new Map(
        readEntries(raw).map(([key, member]) => [text(key), at({ key }, () => read(shape.element, member, depth + 1))]),
      );
    case "object":
    case "nested":
      return readObject(memberTypes(shape), raw, depth);
    case "dynamic":
      return readDynamic(raw, depth);
  }
}

function readNumber(raw: unknown): Numeric {
  const value =
    typeof raw === "string"
      ? parseNumber(raw)
      : typeof raw === "number" || typeof raw === "bigint"
        ? toNumeric(raw)
        : null;
  if (value === null) throw new CodecError("a number");
  return value;
}

function readElements(raw: unknown): unknown[] {
  if (!Array.isArray(raw)) throw new CodecError("a sequence");
  return raw;
}

const readEntries = (raw: unknown): [string, unknown][] =>
  Object.entries(rawMembers(raw)).map(([key, member]) => [realKey(key), member]);

function rawMembers(raw: unknown): { readonly [key: string]: unknown } {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw) || raw instanceof Uint8Array) {
    throw new CodecError("a map");
  }
  return raw as { readonly [key: string]: unknown };
}

function readTuple(types: readonly Type[], raw: unknown, depth: number): Value {
  const elements = readElements(raw);
  if (elements.length !== types.length) throw new CodecError(`${types.length} elements`);
  return types.map((type, index) => at({ index }, () => read(type, elements[index], depth + 1)));
}

function readObject(types: MemberTypes, raw: unknown, depth: number): ValueMap {
  const given = rawMembers(raw);
  const members = new Map<string, Value>();
  if (Object.keys(given).length !== types.length) throw new CodecError("exactly the attributes of the schema");
  for (const [attribute, type] of types) {
    const key = safeKey(attribute);
    if (!Object.hasOwn(given, key)) throw new CodecError("exactly the attributes of the schema");
    members.set(
      attribute,
      at({ attribute }, () => read(type, given[key], depth + 1)),
    );
  }
  return members;
}

function readDynamic(raw: unknown, depth: number): Value {
  if (!Array.isArray(raw) || raw.length !== 2 || !(raw[0] instanceof Uint8Array)) {
    throw new CodecError("a value with its type");
  }
  const type = parseCtyType(parseJson(raw[0]));
  const value = read(type, raw[1], depth + 1);
  return type.shape.kind === "dynamic" ? value : new Dynamic(type, signatureOf(type), value);
}

/** The same value in the types that the library encodes. */
function write({ shape }: Type, value: Value): unknown {
  if (value === null || value instanceof Unknown) return value;
  switch (shape.kind) {
    case "string":
    case "bool":
      return value;
    case "number":
      return writeNumber(value as Numeric);
    case "list":
    case "set":
      return elementsOf(value).map((element) => write(shape.element, element));
    case "tuple":
      return shape.elements.map((type, index) => write(type, elementsOf(value)[index] ?? null));
    case "map":
      return writeEntries([...membersOf(value)].map(([key, member]) => [key, write(shape.element, member)]));
    case "object":
    case "nested":
      return writeEntries(memberTypes(shape).map(([name, type]) => [name, write(type, memberOf(value, name))]));
    case "dynamic":
      if (!(value instanceof Dynamic)) throw new TypeError("a dynamic value without its type");
      return [new TextEncoder().encode(value.signature), write(value.type, value.value)];
  }
}

const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Whole numbers of up to 64 bits are integers, infinities are doubles, all others are decimal text. The library wraps a
 * larger bigint, and with 64-bit integers enabled it writes a `number` beyond 32 bits as a double.
 */
function writeNumber(value: Numeric): number | bigint | string {
  if (value instanceof Decimal) return value.text;
  if (typeof value === "number" && !Number.isFinite(value)) return value;
  if (typeof value === "number" && !Number.isInteger(value)) return formatNumber(value);
  if (typeof value === "number" && Math.abs(value) < 2 ** 31) return value;
  const whole = BigInt(value);
  return whole >= MIN_INT64 && whole <= MAX_UINT64 ? whole : formatNumber(value);
}

function writeEntries(entries: [string, unknown][]): object {
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, member] of entries) result[key] = member;
  return result;
}
