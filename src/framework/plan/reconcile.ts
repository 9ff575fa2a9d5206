import type { Attribute, Attributes } from "../schema/attribute.ts";
import { mayBeNull, toView } from "../schema/to-view.ts";
import { isSlotMap, type Type } from "../schema/type.ts";
import { transform } from "../schema/walk.ts";
import {
  Dynamic,
  elementsOf,
  equal,
  isList,
  isMap,
  isNull,
  isUnknown,
  isWhollyKnown,
  knownPart,
  memberOf,
  membersOf,
  setOf,
  type Value,
  type ValueList,
  type ValueMap,
  withoutNulls,
} from "../values/value.ts";

/**
 * Aligns what was read from the server with what Terraform expects. Where both mean the same, the expected spelling
 * stays. Local values come from the expectation, since the server does not have them.
 */
export function reconcileObject(attributes: Attributes, observed: Value, expected: Value): Value {
  return transform(attributes, observed, [expected], ({ attribute, value, parallel: [wanted = null] }) =>
    reconcileAttribute(attribute, value, wanted),
  );
}

function reconcileAttribute(attribute: Attribute, observed: Value, expected: Value): Value {
  if (attribute.local) return knownPart(expected);
  const { type } = attribute;
  if (isNull(observed) && isEmpty(type, expected)) return knownPart(expected);
  if (isEmpty(type, observed) && isNull(expected) && mayBeNull(attribute) && !type.mayBeEmpty) return expected;
  return reconcile(type, observed, expected);
}

/** Keeps the expected value, or parts of it, wherever the other value means the same. */
export function reconcile(type: Type, value: Value, expected: Value): Value {
  if (equal(value, expected)) return expected;
  if (isNull(value) || isNull(expected) || !isWhollyKnown(value) || isUnknown(expected)) return value;
  const { shape } = type;
  if (
    type.same &&
    isWhollyKnown(expected) &&
    type.same(toView(type, value, "state"), toView(type, expected, "state"))
  ) {
    return expected;
  }
  switch (shape.kind) {
    case "list":
      return elementsOf(value).map((element, index) =>
        reconcile(shape.element, element, elementsOf(expected)[index] ?? null),
      );
    case "set":
      return reconcileSet(shape.element, elementsOf(value), elementsOf(expected));
    case "tuple":
      return shape.elements.map((of, index) =>
        reconcile(of, elementsOf(value)[index] ?? null, elementsOf(expected)[index] ?? null),
      );
    case "map":
      return isMap(value) ? reconcileMap(type, shape.element, value, expected) : value;
    case "object":
      return new Map(
        Object.entries(shape.members).map(([name, of]) => [
          name,
          reconcile(of, memberOf(value, name), memberOf(expected, name)),
        ]),
      );
    case "nested":
      return reconcileObject(shape.attributes, value, expected);
    case "dynamic":
      return sayTheSame(value, expected) ? expected : value;
    case "string":
    case "bool":
    case "number":
      return value;
  }
}

/** An expected null in such a map means that the key does not exist on the server, where the type says so. */
function reconcileMap(type: Type, element: Type, value: ValueMap, expected: Value): Value {
  const absent = [...membersOf(expected)].filter(([key, member]) => isNull(member) && !value.has(key));
  return new Map([
    ...[...value].map(([key, member]) => [key, reconcile(element, member, memberOf(expected, key))] as const),
    ...(isSlotMap(type) ? absent : []),
  ]);
}

/** Most servers do not distinguish an empty text or collection, or an object with no values for them, from an absent one. */
function isEmpty(type: Type, value: Value): boolean {
  const { shape } = type;
  if (value === "") return true;
  if (isList(value)) return value.length === 0;
  if (!isMap(value)) return false;
  if (isSlotMap(type)) return withoutNulls(value).size === 0;
  if (shape.kind !== "nested") return value.size === 0;
  return Object.entries(shape.attributes).every(([name, { type, local }]) => {
    const member = memberOf(value, name);
    return local || isNull(member) || isEmpty(type, member);
  });
}

/** Each element may be another spelling of one expected element that no other element equals. */
function reconcileSet(type: Type, elements: ValueList, expected: ValueList): ValueList {
  const free = new Set(expected.filter((candidate) => !elements.some((element) => equal(element, candidate))));
  const spelling = (element: Value): Value | undefined =>
    [...free].find((candidate) => equal(reconcile(type, element, candidate), candidate));
  return setOf(
    elements.map((element) => {
      const found = expected.some((candidate) => equal(candidate, element)) ? undefined : spelling(element);
      if (found === undefined) return element;
      free.delete(found);
      return found;
    }),
  );
}

/** Hooks see dynamic values without their types, so a list that they return may have been a set. */
function sayTheSame(value: Value, expected: Value): boolean {
  if (!(value instanceof Dynamic && expected instanceof Dynamic)) return false;
  if (equal(value.value, expected.value)) return true;
  return expected.type.shape.kind === "set" && equal(setOf(elementsOf(value.value)), expected.value);
}
