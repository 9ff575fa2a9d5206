import { type Attribute, type Body, type Nested, objectType } from "./schema.ts";
import { parseType } from "./type.ts";

type Mode = "required" | "optional" | "computed" | "optional_computed";

/** Schemas in a line, for the harness's own tests: `bodyOf({ name: attribute("required") })`. */
export function bodyOf(attributes: Record<string, Attribute>): Body {
  return { attributes };
}

export function attribute(mode: Mode, type: unknown = "string", more: Partial<Attribute> = {}): Attribute {
  return {
    type: parseType(type),
    required: mode === "required",
    optional: mode === "optional" || mode === "optional_computed",
    computed: mode === "computed" || mode === "optional_computed",
    sensitive: false,
    writeOnly: false,
    ...more,
  };
}

export function nested(mode: Mode, nesting: Nested["nesting"], attributes: Record<string, Attribute>): Attribute {
  const object = objectType({ attributes });
  const type = nesting === "single" ? object : { kind: nesting, element: object };
  return { ...attribute(mode), type, nested: { nesting, attributes } };
}
