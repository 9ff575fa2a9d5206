import { type Attribute, type Attributes, nullable, type Observed, type Type, type ViewsOf } from "#framework";

/** What may be absent of a resource may be null in what is looked up. */
type Found<A extends Attribute> = A["mode"] extends "optional"
  ? ReturnType<typeof nullable<ViewsOf<A["type"]>>>
  : A["type"];

export type Computed<A extends Attributes> = {
  readonly [K in keyof Observed<A>]: {
    readonly type: Found<A[K]>;
    readonly mode: "computed";
    readonly doc: string;
  };
};

/**
 * The attributes of a resource as a data source shows them: all found, none given, and without those that only
 * Terraform knows. What the resource's `read` returns for them fits here, too.
 */
export function computed<A extends Attributes>(attributes: A): Computed<A> {
  const readable = Object.entries(attributes).filter(([, { local, writeOnly }]) => !local && writeOnly === undefined);
  return Object.fromEntries(readable.map(([name, attribute]) => [name, asFound(attribute)])) as Computed<A>;
}

function asFound({ type, mode, doc, sensitive }: Attribute): Attribute {
  const found = withoutModes(type);
  return {
    type: mode === "optional" ? nullable(found) : found,
    mode: "computed",
    doc,
    ...(sensitive === undefined ? {} : { sensitive }),
  };
}

function withoutModes(type: Type): Type {
  const { shape } = type;
  switch (shape.kind) {
    case "nested":
      return { ...type, shape: { ...shape, attributes: computed(shape.attributes) } };
    case "list":
    case "set":
    case "map":
      return { ...type, shape: { ...shape, element: withoutModes(shape.element) } };
    default:
      return type;
  }
}
