import type { Attribute, Body, Nested } from "./schema.ts";
import { objectType } from "./schema.ts";
import { attributeOf, equals, isObject, isUnknown, mapObject, type ObjectValue, type Value } from "./value.ts";

/**
 * What Terraform proposes to a provider before it plans: the configuration, with the prior value of each computed
 * attribute that is not configured.
 */
export function proposeNew(body: Body, prior: Value, config: Value): Value {
  if (config === null) return null;
  return proposeAttributes(body, prior, config);
}

function proposeAttributes(body: Body, prior: Value, config: Value): ObjectValue {
  return mapObject(body.attributes, (attribute, name) =>
    proposeAttribute(attribute, attributeOf(prior, name), attributeOf(config, name)),
  );
}

function proposeAttribute(attribute: Attribute, prior: Value, config: Value): Value {
  if (attribute.computed && config === null) return mustHaveBeenConfigured(attribute, prior) ? null : prior;
  return attribute.nested ? proposeNested(attribute.nested, prior, config) : config;
}

/**
 * A prior object with a value that only a configuration can set was configured before and is not now, so it is not
 * carried over.
 */
function mustHaveBeenConfigured(attribute: Attribute, prior: Value): boolean {
  return attribute.optional && attribute.nested !== undefined && hasUncomputedValue(attribute.nested, prior);
}

function hasUncomputedValue(nested: Nested, value: Value): boolean {
  return objectsOf(nested, value).some((object) =>
    Object.entries(nested.attributes).some(([name, attribute]) => {
      const member = attributeOf(object, name);
      if (member === null) return false;
      return !attribute.computed || (attribute.nested !== undefined && hasUncomputedValue(attribute.nested, member));
    }),
  );
}

function objectsOf(nested: Nested, value: Value): Value[] {
  if (nested.nesting === "single") return [value];
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function proposeNested(nested: Nested, prior: Value, config: Value): Value {
  if (config === null || isUnknown(config)) return config;
  const propose = (was: Value, wanted: Value) => (wanted === null ? null : proposeAttributes(nested, was, wanted));
  switch (nested.nesting) {
    case "single":
      return propose(prior, config);
    case "list": {
      const before = Array.isArray(prior) ? prior : [];
      return (config as Value[]).map((wanted, index) =>
        index < before.length ? propose(before[index] ?? null, wanted) : wanted,
      );
    }
    case "map":
      return mapObject(config as ObjectValue, (wanted, key) =>
        isObject(prior) && key in prior ? propose(prior[key] ?? null, wanted) : wanted,
      );
    case "set":
      return proposeSet(nested, Array.isArray(prior) ? prior : [], config as Value[], propose);
  }
}

/** Elements of a set have no keys: each is matched with the first prior element that it can come from. */
function proposeSet(
  nested: Nested,
  prior: Value[],
  config: Value[],
  propose: (was: Value, wanted: Value) => Value,
): Value[] {
  const left = [...prior];
  return config.map((wanted) => {
    const match = left.findIndex((was) => couldComeFrom(nested, was, wanted));
    const [was = null] = match < 0 ? [] : left.splice(match, 1);
    return propose(was, wanted);
  });
}

/** Whether the prior object is the configured one with only computed values added. */
function couldComeFrom(body: Body, prior: Value, config: Value): boolean {
  if (equals(objectType(body), prior, config)) return true;
  if (!isObject(prior) || !isObject(config)) return false;
  return Object.entries(body.attributes).every(([name, attribute]) => {
    const was = attributeOf(prior, name);
    const wanted = attributeOf(config, name);
    if (equals(attribute.type, was, wanted)) return true;
    if (!attribute.nested) return attribute.computed && wanted === null;
    return attribute.nested.nesting === "single" && couldComeFrom(attribute.nested, was, wanted);
  });
}
