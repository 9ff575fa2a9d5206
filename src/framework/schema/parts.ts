import type { Path, PathStep } from "../diagnostics.ts";
import { elementsOf, isNull, memberOf, membersOf, type Value } from "../values/value.ts";
import type { Attribute } from "./attribute.ts";
import type { Type } from "./type.ts";

/** A part of a value: an element, a member, an attribute. */
export interface Part {
  readonly type: Type;
  readonly value: Value;
  /** The step that leads to it; undefined for an element of a set. */
  readonly step: readonly PathStep[];
  /** Set if it is a nested attribute. */
  readonly attribute?: Attribute;
}

/** The parts of a known value, one level down. */
export function partsOf({ shape }: Type, value: Value): Part[] {
  switch (shape.kind) {
    case "list":
      return elementsOf(value).map((element, index) => ({ type: shape.element, value: element, step: [{ index }] }));
    case "set":
      return elementsOf(value).map((element) => ({ type: shape.element, value: element, step: [] }));
    case "tuple":
      return shape.elements.map((type, index) => ({
        type,
        value: elementsOf(value)[index] ?? null,
        step: [{ index }],
      }));
    case "map":
      return [...membersOf(value)].map(([key, member]) => ({ type: shape.element, value: member, step: [{ key }] }));
    case "object":
      return Object.entries(shape.members).map(([name, type]) => ({
        type,
        value: memberOf(value, name),
        step: [{ attribute: name }],
      }));
    case "nested":
      return Object.entries(shape.attributes).map(([name, attribute]) => ({
        type: attribute.type,
        value: memberOf(value, name),
        step: [{ attribute: name }],
        attribute,
      }));
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return [];
  }
}

/** Visits every attribute that has a value, at any depth. */
export function forEachGiven(
  type: Type,
  value: Value,
  visit: (given: { readonly attribute: Attribute; readonly value: Value; readonly path: Path }) => void,
  path: Path = [],
): void {
  for (const part of partsOf(type, value)) {
    if (isNull(part.value)) continue;
    const here = [...path, ...part.step];
    if (part.attribute) visit({ attribute: part.attribute, value: part.value, path: here });
    forEachGiven(part.type, part.value, visit, here);
  }
}
