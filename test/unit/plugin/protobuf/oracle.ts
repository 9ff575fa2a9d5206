import { join } from "node:path";
import fc from "fast-check";
import protobuf from "protobufjs";
import { decode } from "../../../../src/plugin/protobuf/decode.ts";
import type { Field, FieldType, Message, Values } from "../../../../src/plugin/protobuf/message.ts";

const folder = join(import.meta.dirname, "../../../../schema/proto");
const files = ["tfplugin6", "grpc_controller", "grpc_stdio", "grpc_broker", "health"];

const root = new protobuf.Root().loadSync(files.map((name) => join(folder, `${name}.proto`)));

/** Another implementation of protobuf, which reads the `.proto` files and does not use the generated tables. */
export function oracle(name: string): { encode(value: object): Uint8Array; decode(bytes: Uint8Array): object } {
  const type = root.lookupType(name);
  return {
    encode: (value) => type.encode(type.fromObject(value)).finish(),
    decode: (bytes) =>
      type.toObject(type.decode(bytes), { longs: Number, arrays: true, objects: true, defaults: true }),
  };
}

/** Every message that the `.proto` files declare, except those that only group others. */
export function declaredMessages(namespace: protobuf.NamespaceBase = root): string[] {
  return namespace.nestedArray.flatMap((member) => {
    const own =
      member instanceof protobuf.Type && (member.fieldsArray.length > 0 || member.nestedArray.length === 0)
        ? [member.fullName.slice(1)]
        : [];
    return member instanceof protobuf.Namespace ? [...own, ...declaredMessages(member)] : own;
  });
}

/** Any value a message can have, nested messages down to a few levels. */
export function anyValue(message: Message<object>, depth = 3): fc.Arbitrary<Values> {
  const groups = new Map<string, Field[]>();
  const properties: Record<string, fc.Arbitrary<unknown>> = {};
  const optional: string[] = [];
  for (const field of message.fields) {
    const [, name, type, rule = "plain", group = ""] = field;
    if (rule === "oneof") groups.set(group, [...(groups.get(group) ?? []), field]);
    else properties[name] = anyField(type, rule, depth);
    if (rule === "optional" || (rule === "plain" && typeof type !== "string")) optional.push(name);
  }
  const requiredKeys = Object.keys(properties).filter((name) => !optional.includes(name));
  const own = fc.record(properties, { requiredKeys }) as fc.Arbitrary<Values>;
  const choices = [...groups.values()].map((fields) =>
    fc.oneof(fc.constant({}), ...fields.map(([, name, type]) => fc.record({ [name]: anyOf(type, depth) }))),
  );
  return fc.tuple(own, ...choices).map((parts) => Object.assign({}, ...parts) as Values);
}

function anyField(type: FieldType, rule: string, depth: number): fc.Arbitrary<unknown> {
  const maxLength = depth > 0 ? 3 : 0;
  if (rule === "repeated") return fc.array(anyOf(type, depth), { maxLength });
  // protobufjs cannot keep the key "__proto__"; a separate test shows that this codec can.
  const key = fc.string({ unit: "binary" }).filter((text) => text !== "__proto__");
  if (rule === "map") return fc.dictionary(key, anyOf(type, depth), { maxKeys: maxLength, noNullPrototype: true });
  return anyOf(type, depth);
}

function anyOf(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  if (typeof type !== "string") {
    const message = type();
    return depth > 0 ? anyValue(message, depth - 1) : fc.constant(decode(message, new Uint8Array()));
  }
  switch (type) {
    case "bool":
      return fc.boolean();
    case "int64":
      return fc.oneof(fc.maxSafeInteger(), fc.nat());
    case "int32":
    case "enum":
      return fc.integer();
    case "uint32":
      return fc.nat();
    case "string":
      return fc.string({ unit: "binary" });
    case "bytes":
      return fc.uint8Array();
  }
}

/** The same value in the same form for both implementations: no prototypes, no empty members, bytes as text. */
export function canonical(value: unknown): unknown {
  if (value instanceof Uint8Array) return `bytes:${Buffer.from(value).toString("hex")}`;
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, canonical(inner)]));
}
