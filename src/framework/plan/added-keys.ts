import type { Attributes } from "../schema/attribute.ts";
import { transform } from "../schema/walk.ts";
import { isMap, knownPart, membersOf, type Value, withoutNulls } from "../values/value.ts";

/**
 * The state before a change, with the keys that the change adds to its maps. What a failed change has made of them is Terraform's,
 * and a read shows only slots that are expected.
 */
export function withAddedKeys(attributes: Attributes, prior: Value, planned: Value): Value {
  return transform(attributes, prior, [planned], ({ attribute, value, parallel: [wanted = null] }) => {
    if (attribute.type.shape.kind !== "map" || !isMap(wanted)) return value;
    const present = membersOf(value);
    const added = [...withoutNulls(wanted)].filter(([key]) => !present.has(key));
    return added.length === 0
      ? value
      : new Map([...present, ...added.map(([key, one]) => [key, knownPart(one)] as const)]);
  });
}
