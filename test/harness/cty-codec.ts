import { type Packed, pack, unpack } from "./msgpack.ts";
import { parseType, type Type, typeJson } from "./type.ts";
import {
  Decimal,
  Dynamic,
  elementOf,
  isObject,
  mapObject,
  type Refinement,
  Unknown,
  unknown,
  type Value,
} from "./value.ts";

/** Terraform's wire form of a value; strict in both directions, since Terraform is. */
export function encode(type: Type, value: Value): Uint8Array {
  return pack(toPacked(type, value));
}

export function decode(type: Type, bytes: Uint8Array): Value {
  return fromPacked(type, unpack(bytes), "");
}

const refinedExtension = 12;
const plainUnknown: Packed = { extension: 0, bytes: Uint8Array.of(0) };

function toPacked(type: Type, value: Value): Packed {
  if (value === null) return null;
  if (value instanceof Unknown) return packUnknown(value.refinement);
  if (value instanceof Dynamic) {
    return [Buffer.from(JSON.stringify(typeJson(value.type))), toPacked(value.type, value.value)];
  }
  if (value instanceof Decimal) return packNumber(value);
  if (Array.isArray(value)) return value.map((item, index) => toPacked(elementOf(type, index), item));
  if (!isObject(value)) return value;
  const members = type.kind === "object" ? type.attributes : mapObject(value, () => null);
  return new Map(
    Object.keys(members).map((name) => {
      const member = type.kind === "object" ? type.attributes[name] : elementOf(type);
      return [name, toPacked(member as Type, value[name] as Value)];
    }),
  );
}

/** As core sends them: 64-bit integers as integers, floats only if they are exact, everything else as text. */
function packNumber(number: Decimal): Packed {
  const integer = number.integer();
  if (integer !== undefined) return integer >= -(2n ** 63n) && integer < 2n ** 64n ? integer : number.text;
  return isExactFloat(number) ? Number(number.text) : number.text;
}

function isExactFloat(number: Decimal): boolean {
  const nearest = Number(number.text);
  return Number.isFinite(nearest) && Decimal.from(nearest.toFixed(60)).text === number.text;
}

function packUnknown(refinement: Refinement): Packed {
  const known = new Map<Packed, Packed>();
  if (refinement.notNull) known.set(1n, false);
  if (refinement.prefix !== undefined) known.set(2n, refinement.prefix);
  if (refinement.minLength !== undefined) known.set(5n, BigInt(refinement.minLength));
  if (refinement.maxLength !== undefined) known.set(6n, BigInt(refinement.maxLength));
  return known.size === 0 ? plainUnknown : { extension: refinedExtension, bytes: pack(known) };
}

function fromPacked(type: Type, packed: Packed, path: string): Value {
  if (packed === null) return null;
  if (typeof packed === "object" && "extension" in packed) return unpackUnknown(packed);
  const wrong = () => new Error(`${path || "the value"} is not a ${type.kind}`);
  switch (type.kind) {
    case "string":
      if (typeof packed !== "string") throw wrong();
      return packed;
    case "bool":
      if (typeof packed !== "boolean") throw wrong();
      return packed;
    case "number":
      return unpackNumber(packed, path);
    case "dynamic":
      return unpackDynamic(packed, path);
    case "list":
    case "set":
    case "tuple":
      if (!Array.isArray(packed)) throw wrong();
      if (type.kind === "tuple" && packed.length !== type.elements.length) throw wrong();
      return packed.map((item, index) => fromPacked(elementOf(type, index), item, `${path}[${index}]`));
    case "map":
      if (!(packed instanceof Map)) throw wrong();
      return mapObject(byName(packed, path), (item, name) => fromPacked(type.element, item, `${path}[${name}]`));
    case "object":
      if (!(packed instanceof Map)) throw wrong();
      return unpackObject(type.attributes, byName(packed, path), path);
  }
}

function byName(packed: Map<Packed, Packed>, path: string): { [name: string]: Packed } {
  const members: { [name: string]: Packed } = Object.create(null);
  for (const [key, item] of packed) {
    if (typeof key !== "string") throw new Error(`${path} has a key that is not a string`);
    members[key] = item;
  }
  return members;
}

function unpackObject(attributes: Record<string, Type>, members: { [name: string]: Packed }, path: string): Value {
  const missing = Object.keys(attributes).filter((name) => !(name in members));
  const strange = Object.keys(members).filter((name) => !Object.hasOwn(attributes, name));
  if (missing.length > 0) throw new Error(`${path || "the object"} lacks ${missing.join(", ")}`);
  if (strange.length > 0) throw new Error(`${path || "the object"} has unexpected ${strange.join(", ")}`);
  return mapObject(attributes, (attribute, name) => fromPacked(attribute, members[name] as Packed, `${path}.${name}`));
}

function unpackNumber(packed: Packed, path: string): Decimal {
  if (typeof packed === "bigint" || typeof packed === "string") return Decimal.from(packed);
  if (typeof packed === "number" && Number.isFinite(packed)) return Decimal.from(packed);
  throw new Error(`${path} is not a number`);
}

function unpackDynamic(packed: Packed, path: string): Dynamic {
  const [json, value] = Array.isArray(packed) && packed.length === 2 ? packed : [];
  if (!(json instanceof Uint8Array) || value === undefined) throw new Error(`${path} does not carry its type`);
  const type = parseType(JSON.parse(Buffer.from(json).toString("utf8")));
  return new Dynamic(type, fromPacked(type, value, path));
}

function unpackUnknown({ extension, bytes }: { extension: number; bytes: Uint8Array }): Unknown {
  if (bytes.length <= 1) return unknown;
  if (extension !== refinedExtension) throw new Error(`extension ${extension} is not known`);
  const known = unpack(bytes) as Map<Packed, Packed>;
  return new Unknown({
    ...(known.get(1n) === false && { notNull: true }),
    ...(known.has(2n) && { prefix: String(known.get(2n)) }),
    ...(known.has(5n) && { minLength: Number(known.get(5n)) }),
    ...(known.has(6n) && { maxLength: Number(known.get(6n)) }),
  });
}
