import type { Catalog } from "../define/catalog.ts";
import type { ProviderDefinition } from "../define/provider-definition.ts";
import { type Attribute, type Attributes, isComputed } from "./attribute.ts";
import { nestingOf } from "./describe.ts";
import type { Type } from "./type.ts";

/** Names that Terraform reserves at the top level of a resource. */
const RESERVED = new Set(["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]);

/** Mistakes in a definition that the types cannot prevent and that Terraform would refuse or, worse, accept. */
export function definitionErrors(provider: ProviderDefinition<Attributes, unknown>, catalog: Catalog): string[] {
  const resources = Object.values(catalog.resources);
  const others = [catalog.dataSources, catalog.ephemerals, catalog.actions].flatMap((kind) => Object.values(kind));
  const listResources = Object.values(catalog.listResources);
  return [
    ...misnamed(catalog),
    ...faultsIn(provider.name, provider.attributes),
    ...[...resources, ...others].flatMap(({ type, attributes }) => [
      ...Object.keys(attributes)
        .filter((name) => RESERVED.has(name))
        .map((name) => `${type}.${name}: Terraform reserves this name`),
      ...faultsIn(type, attributes),
    ]),
    ...listResources.flatMap(({ resource, attributes }) => faultsIn(`list ${resource.type}`, attributes)),
    ...resources.flatMap(({ type, attributes, identity = [] }) =>
      ("attributes" in identity ? identity.attributes : identity).flatMap((name) =>
        identityFaults(type, name, attributes[name]),
      ),
    ),
  ];
}

/** Definitions that are registered under another name than their own. */
function misnamed({ functions, listResources, ...kinds }: Catalog): string[] {
  const named = [
    ...Object.values(kinds).flatMap((kind) => Object.entries(kind).map(([name, { type }]) => [name, type])),
    ...Object.entries(functions).map(([name, definition]) => [name, definition.name]),
    ...Object.entries(listResources).map(([name, { resource }]) => [name, resource.type]),
  ];
  return named.filter(([name, own]) => name !== own).map(([name, own]) => `${name}: the definition is of ${own}`);
}

function identityFaults(type: string, name: string, attribute: Attribute | undefined): string[] {
  if (attribute === undefined) return [`${type}: the identity has no attribute "${name}"`];
  const { kind } = attribute.type.shape;
  const simple = kind === "string" || kind === "number" || kind === "bool";
  return simple && !attribute.local && !attribute.writeOnly ? [] : [`${type}.${name}: cannot be part of the identity`];
}

/** The surroundings of an attribute. */
interface Surroundings {
  readonly inSet?: boolean;
  readonly inLocal?: boolean;
}

function faultsIn(place: string, attributes: Attributes, around: Surroundings = {}): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const here = `${place}.${name}`;
    const nesting = nestingOf(attribute.type);
    const inside = {
      inSet: around.inSet || nesting?.nesting === "set",
      inLocal: around.inLocal || attribute.local === true || attribute.writeOnly !== undefined,
    };
    return [
      ...attributeFaults(name, attribute, attributes, around).map((fault) => `${here}: ${fault}`),
      ...(nesting === null
        ? misplaced(attribute.type).map((fault) => `${here}: ${fault}`)
        : faultsIn(here, nesting.attributes, inside)),
    ];
  });
}

function attributeFaults(
  name: string,
  attribute: Attribute,
  siblings: Attributes,
  { inSet = false, inLocal = false }: Surroundings,
): string[] {
  const { type, writeOnly, local, keep } = attribute;
  const computed = isComputed(attribute);
  const hidden = writeOnly !== undefined;
  const named = [
    ...(typeof keep === "object" ? keep.unless : []),
    ...(typeof writeOnly === "object" ? [writeOnly.trigger] : []),
  ];
  const checks: [boolean, string][] = [
    [!/^[a-z_][a-z0-9_]*$/.test(name), "a name must be lower-case letters, digits and underscores"],
    [hidden && computed, "a computed attribute cannot be write-only"],
    [hidden && local === true, "a write-only attribute is not stored, so it cannot be local"],
    [inLocal && computed, "a local attribute cannot contain computed ones: it never reaches the server"],
    [keep !== undefined && !computed, "only a computed attribute can be kept"],
    [inSet && (hidden || local === true), "a set cannot contain this, since its elements have no identity"],
    [inSet && type.shape.kind === "dynamic", "a set cannot hold values of any type"],
  ];
  return [
    ...checks.filter(([wrong]) => wrong).map(([, fault]) => fault),
    ...named
      .filter((other) => !Object.hasOwn(siblings, other))
      .map((other) => `it has no sibling attribute "${other}"`),
  ];
}

/** Nested attributes are allowed as an attribute's type or directly in its collection, nowhere deeper. */
function misplaced({ shape }: Type): string[] {
  const inner =
    "element" in shape
      ? [shape.element]
      : "elements" in shape
        ? shape.elements
        : "members" in shape
          ? Object.values(shape.members)
          : [];
  return inner.flatMap((type) =>
    type.shape.kind === "nested" ? ["attributes cannot be nested this deep; use `object`"] : misplaced(type),
  );
}
