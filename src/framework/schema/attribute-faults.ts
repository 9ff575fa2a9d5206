import { type Attribute, type Attributes, isComputed } from "./attribute.ts";
import { nestingOf } from "./describe.ts";
import type { Type } from "./type.ts";

/** What an attribute may be depends on where its schema is used. */
export interface SchemaRules {
  /** Whether the provider can fill in values: nothing returns a provider block, an action or a query. */
  readonly mayCompute: boolean;
  /** Whether Terraform takes write-only values there. */
  readonly mayHide: boolean;
}

/** The surroundings of an attribute. */
interface Surroundings {
  readonly inSet?: boolean;
  readonly inLocal?: boolean;
  readonly inHidden?: boolean;
  readonly inResult?: boolean;
  readonly inCollection?: boolean;
}

const identifier = /^[a-z_][a-z0-9_]*$/;
const modes = new Set(["required", "optional", "optional_computed", "computed"]);

export const isIdentifier = (name: string): boolean => identifier.test(name);

/** Mistakes in a schema, each with the place of its attribute: `cloud_machine.networks.mac: …`. */
export function attributeFaults(
  place: string,
  attributes: Attributes,
  rules: SchemaRules,
  around: Surroundings = {},
): string[] {
  return Object.entries(attributes).flatMap(([name, attribute]) => {
    const here = `${place}.${name}`;
    const broken = brokenParts(attribute);
    if (broken.length > 0) return broken.map((fault) => `${here}: ${fault}`);
    const nesting = nestingOf(attribute.type);
    const inside: Surroundings = {
      inSet: around.inSet || nesting?.nesting === "set",
      inLocal: around.inLocal || attribute.local === true,
      inHidden: around.inHidden || attribute.writeOnly !== undefined,
      inResult: around.inResult || attribute.mode === "computed",
      inCollection: around.inCollection || (nesting !== null && nesting.nesting !== "single"),
    };
    return [
      ...ownFaults(name, attribute, attributes, { ...rules, ...around }).map((fault) => `${here}: ${fault}`),
      ...(nesting === null
        ? typeFaults(attribute.type).map((fault) => `${here}: ${fault}`)
        : attributeFaults(here, nesting.attributes, rules, inside)),
    ];
  });
}

/** An author who does not use TypeScript, or a cast, may leave out what the types require. */
function brokenParts(attribute: Attribute | undefined): string[] {
  const { type, mode } = (attribute ?? {}) as Partial<Attribute>;
  return [
    ...(hasTypes(type) ? [] : ["it, or a part of it, has no type"]),
    ...(modes.has(mode ?? "") ? [] : [`the mode is ${JSON.stringify(mode)}, not one of ${[...modes].join(", ")}`]),
  ];
}

/** Whether the type and those of its elements and members are there; attributes in it are looked at one by one. */
export function hasTypes(type: Type | undefined): type is Type {
  if (type?.shape?.kind === undefined) return false;
  return type.shape.kind === "nested" || innerTypes(type).every(hasTypes);
}

const innerTypes = ({ shape }: Type): readonly Type[] =>
  "element" in shape
    ? [shape.element]
    : "elements" in shape
      ? shape.elements
      : "members" in shape
        ? Object.values(shape.members)
        : [];

function ownFaults(
  name: string,
  attribute: Attribute,
  siblings: Attributes,
  where: Surroundings & SchemaRules,
): string[] {
  const { type, mode, writeOnly, local, keep } = attribute;
  const { inSet, inLocal, inHidden, inResult, inCollection, mayCompute, mayHide } = where;
  const computed = isComputed(attribute);
  const hidden = writeOnly !== undefined;
  const named = [
    ...(typeof keep === "object" ? keep.unless : []),
    ...(typeof writeOnly === "object" ? [writeOnly.trigger] : []),
  ];
  const checks: [boolean | undefined, string][] = [
    [!isIdentifier(name), "a name must be lower-case letters, digits and underscores"],
    [hidden && computed, "a computed attribute cannot be write-only"],
    [hidden && local === true, "a write-only attribute is not stored, so it cannot be local"],
    [(inLocal || inHidden) && computed, "a local attribute cannot contain computed ones: it never reaches the server"],
    [inHidden && !hidden, "all members of a write-only object must be write-only"],
    [inResult && hidden, "a computed object cannot contain a write-only attribute: a user cannot set it"],
    [!mayCompute && computed, "nothing returns a value here, so it cannot be computed"],
    [!mayHide && hidden, "nothing is stored here, so it cannot be write-only"],
    [keep !== undefined && !computed, "only a computed attribute can be kept"],
    [mode !== "computed" && attribute.instead !== undefined, "only a read-only attribute says what to set instead"],
    [inSet && (hidden || local === true), "a set cannot contain this, since its elements have no identity"],
    [inCollection && type.shape.kind === "dynamic", "a collection cannot hold values of any type"],
  ];
  return [
    ...checks.filter(([wrong]) => wrong).map(([, fault]) => fault),
    ...named
      .filter((other) => !Object.hasOwn(siblings, other))
      .map((other) => `it has no sibling attribute "${other}"`),
  ];
}

/**
 * Nested attributes are allowed as an attribute's type or directly in its collection, nowhere deeper; and the elements of a
 * collection have one type, so that none can be of any type.
 */
export function typeFaults(outer: Type, inCollection = false): string[] {
  const inside = inCollection || "element" in outer.shape;
  return innerTypes(outer).flatMap((type) => {
    if (type.shape.kind === "nested") return ["attributes cannot be nested this deep; use `object`"];
    const isAny = inside && type.shape.kind === "dynamic";
    return isAny ? ["a collection cannot hold values of any type"] : typeFaults(type, inside);
  });
}
