import { mapValues, parseType, type Type } from "./type.ts";
import type { WireAttribute, WireBlock } from "./wire.ts";

/** What an object may hold: a resource, or one level of a nested attribute. */
export interface Body {
  attributes: Record<string, Attribute>;
}

export interface Attribute {
  type: Type;
  nested?: Nested;
  required: boolean;
  optional: boolean;
  computed: boolean;
  sensitive: boolean;
  writeOnly: boolean;
}

export interface Nested extends Body {
  nesting: "single" | "list" | "set" | "map";
}

/** Reads a schema as it came over the wire, and refuses what Terraform itself would refuse. */
export function parseBlock(block: WireBlock): Body {
  if (block.block_types.length > 0) {
    // Our providers have attributes only; blocks would need rules of their own.
    throw new Error(`block ${block.block_types[0]?.type_name}: the harness knows attributes only`);
  }
  return { attributes: parseAttributes(block.attributes) };
}

function parseAttributes(attributes: WireAttribute[]): Record<string, Attribute> {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, parseAttribute(attribute)]));
}

function parseAttribute(wire: WireAttribute): Attribute {
  assertUsable(wire);
  const nested = wire.nested_type && {
    nesting: wire.nested_type.nesting.toLowerCase() as Nested["nesting"],
    attributes: parseAttributes(wire.nested_type.attributes),
  };
  return {
    type: nested ? nestedType(nested) : parseType(JSON.parse(Buffer.from(wire.type).toString("utf8"))),
    ...(nested && { nested }),
    required: wire.required,
    optional: wire.optional,
    computed: wire.computed,
    sensitive: wire.sensitive,
    writeOnly: wire.write_only,
  };
}

function assertUsable(wire: WireAttribute): void {
  const { name, required, optional, computed } = wire;
  if (!/^[a-z_][a-z0-9_-]*$/.test(name)) throw new Error(`attribute ${JSON.stringify(name)} has an invalid name`);
  if (required && (optional || computed)) throw new Error(`${name} is required and also optional or computed`);
  if (!required && !optional && !computed) throw new Error(`${name} is neither required nor optional nor computed`);
  if (Boolean(wire.nested_type) === wire.type.length > 0) {
    throw new Error(`${name} needs either a type or nested attributes`);
  }
  if (wire.write_only && computed) throw new Error(`${name} is write-only and computed`);
}

export function objectType(body: Body): Type {
  return { kind: "object", attributes: mapValues(body.attributes, (attribute) => attribute.type) };
}

function nestedType(nested: Nested): Type {
  const object = objectType(nested);
  return nested.nesting === "single" ? object : { kind: nested.nesting, element: object };
}
