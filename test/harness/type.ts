/** Terraform's types. The harness has a model of its own, so that no mistake is in both. */
export type Type =
  | { kind: "string" | "number" | "bool" | "dynamic" }
  | { kind: "list" | "set" | "map"; element: Type }
  | { kind: "tuple"; elements: Type[] }
  | { kind: "object"; attributes: Record<string, Type> };

type TypeJson = string | [string, unknown, ...unknown[]];

/** Reads the JSON form that schemas carry: `"string"`, `["list","number"]`, `["object",{"a":"bool"}]` … */
export function parseType(json: unknown): Type {
  const form = json as TypeJson;
  if (typeof form === "string") return parsePrimitive(form);
  const [kind, inner] = form;
  switch (kind) {
    case "list":
    case "set":
    case "map":
      return { kind, element: parseType(inner) };
    case "tuple":
      return { kind, elements: (inner as unknown[]).map(parseType) };
    case "object":
      return { kind, attributes: mapValues(inner as Record<string, unknown>, parseType) };
    default:
      throw new Error(`unknown type ${JSON.stringify(kind)}`);
  }
}

function parsePrimitive(name: string): Type {
  if (name === "string" || name === "number" || name === "bool" || name === "dynamic") return { kind: name };
  throw new Error(`unknown type ${JSON.stringify(name)}`);
}

/** The JSON form, as it is sent before a value of type `dynamic`. */
export function typeJson(type: Type): unknown {
  switch (type.kind) {
    case "list":
    case "set":
    case "map":
      return [type.kind, typeJson(type.element)];
    case "tuple":
      return [type.kind, type.elements.map(typeJson)];
    case "object":
      return [type.kind, mapValues(type.attributes, typeJson)];
    default:
      return type.kind;
  }
}

export function mapValues<From, To>(
  record: Record<string, From>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]));
}
