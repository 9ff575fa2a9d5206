import { toCtyType } from "../codec/cty-type.ts";
import { isSettable } from "../plan/undoable.ts";
import type { Schema, SchemaAttribute } from "../server.ts";
import type { Attribute, Attributes } from "./attribute.ts";
import { document } from "./document.ts";
import type { Type } from "./type.ts";

/** The schema of a definition, as Terraform receives it. */
export function describe(definition: {
  readonly attributes: Attributes;
  readonly doc: string;
  readonly version?: number;
  readonly deprecated?: string;
  readonly subcategory?: string;
}): Schema {
  const { attributes, doc, version = 0, deprecated, subcategory } = definition;
  return {
    version,
    description: doc,
    ...(subcategory === undefined ? {} : { subcategory }),
    ...(deprecated === undefined ? {} : { deprecationMessage: deprecated }),
    attributes: describeAttributes(attributes, { computed: false, inside: false }),
    blocks: [],
  };
}

/** An object is computed as a whole: inside a computed one, the modes only say which members may be null. */
function describeAttributes(
  attributes: Attributes,
  { computed, inside }: { readonly computed: boolean; readonly inside: boolean },
): SchemaAttribute[] {
  return Object.entries(attributes).map(([name, attribute]) => {
    const mode = computed ? "computed" : attribute.mode;
    return {
      name,
      ...describeType(attribute, mode === "computed"),
      ...(isSettable(attribute, inside) ? { settable: true } : {}),
      description: document(attribute),
      required: mode === "required",
      optional: mode === "optional" || mode === "optional_computed",
      computed: mode === "computed" || mode === "optional_computed",
      sensitive: attribute.sensitive ?? false,
      writeOnly: attribute.writeOnly !== undefined,
      ...(attribute.deprecated === undefined ? {} : { deprecationMessage: attribute.deprecated }),
    };
  });
}

function describeType({ type }: Attribute, computed: boolean): Pick<SchemaAttribute, "type" | "nested"> {
  const nested = nestingOf(type);
  if (nested === null) return { type: toCtyType(type) };
  const { nesting, attributes, mayBeEmpty } = nested;
  return {
    nested: {
      nesting,
      attributes: describeAttributes(attributes, { computed, inside: true }),
      ...(mayBeEmpty && { mayBeEmpty }),
    },
  };
}

/** How attributes are nested in an attribute of this type, if they are. */
export function nestingOf(type: Type): Nesting | null {
  const { shape, mayBeEmpty = false } = type;
  if (shape.kind === "nested") return { nesting: "single", attributes: shape.attributes, mayBeEmpty };
  if (shape.kind !== "list" && shape.kind !== "set" && shape.kind !== "map") return null;
  const inner = nestingOf(shape.element);
  return inner?.nesting === "single" ? { ...inner, nesting: shape.kind } : null;
}

interface Nesting {
  readonly nesting: "single" | "list" | "set" | "map";
  readonly attributes: Attributes;
  readonly mayBeEmpty: boolean;
}
