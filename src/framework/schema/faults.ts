import type { ProviderDefinition } from "../define/provider-definition.ts";
import { type Attribute, type Attributes, isComputed } from "./attribute.ts";
import { nestingOf } from "./describe.ts";
import type { Type } from "./type.ts";

/** Names Terraform keeps for itself at the top of a resource. */
const RESERVED = new Set(["connection", "count", "depends_on", "for_each", "lifecycle", "provider", "provisioner"]);

/** What an author wrote that the types could not forbid and Terraform would refuse, or worse, accept. */
export function faultsOf(provider: ProviderDefinition<Attributes, unknown>): string[] {
  const { resources = [], dataSources = [], ephemerals = [], actions = [], listResources = [] } = provider;
  return [
    ...faultsIn(provider.name, provider.attributes),
    ...[...resources, ...dataSources, ...ephemerals, ...actions].flatMap(({ type, attributes }) => [
      ...Object.keys(attributes)
        .filter((name) => RESERVED.has(name))
        .map((name) => `${type}.${name}: Terraform keeps this name for itself`),
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

function identityFaults(type: string, name: string, attribute: Attribute | undefined): string[] {
  if (attribute === undefined) return [`${type}: the identity has no attribute "${name}"`];
  const { kind } = attribute.type.shape;
  const simple = kind === "string" || kind === "number" || kind === "bool";
  return simple && !attribute.local && !attribute.writeOnly ? [] : [`${type}.${name}: cannot be part of the identity`];
}

/** What an attribute is inside of. */
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
    [hidden && computed, "what is computed cannot be write-only"],
    [hidden && local === true, "what is write-only is not stored, so it cannot be local"],
    [inLocal && computed, "nothing is computed inside what never reaches the server"],
    [keep !== undefined && !computed, "only what is computed can be kept"],
    [inSet && (hidden || local === true), "an element of a set cannot be found again, so this cannot be in one"],
    [inSet && type.shape.kind === "dynamic", "a set cannot hold values of any type"],
  ];
  return [
    ...checks.filter(([wrong]) => wrong).map(([, fault]) => fault),
    ...named
      .filter((other) => !Object.hasOwn(siblings, other))
      .map((other) => `there is no attribute "${other}" beside it`),
  ];
}

/** Nested attributes stand at the top of an attribute's type or directly in its collection, nowhere deeper. */
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
