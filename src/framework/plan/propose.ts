import type { Path } from "../diagnostics.ts";
import { type Attribute, type Attributes, isComputed } from "../schema/attribute.ts";
import { nestingOf } from "../schema/describe.ts";
import { isSlotMap } from "../schema/type.ts";
import { type Site, transform } from "../schema/walk.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, isNull, memberOf, type Value, withoutNulls } from "../values/value.ts";
import { reconcile } from "./reconcile.ts";

export interface Change {
  readonly attributes: Attributes;
  /** Null: the object will be created. */
  readonly prior: Value;
  readonly config: Value;
  /** Terraform's own proposal: the configuration, with prior values where a computed attribute is not configured. */
  readonly proposed: Value;
}

/**
 * The plan before any hook. An update that changes nothing is exactly the prior state; otherwise computed values that
 * are not configured are unknown, except those that are kept. `restored` is the prior state with the removed arguments
 * undone (`undo`).
 */
export function propose({ attributes, prior, config, proposed }: Change, restored: Value = prior): Value {
  const atRest = transform(attributes, proposed, [config, prior, restored], restingValue);
  if (equal(atRest, prior) || equal(withoutNullSlots(attributes, atRest), withoutNullSlots(attributes, prior)))
    return prior;
  return transform(attributes, atRest, [config, prior], expectedValue);
}

const withoutNullSlots = (attributes: Attributes, value: Value): Value =>
  transform(attributes, value, [], ({ attribute, descend }) => {
    const inner = descend();
    return isSlotMap(attribute.type) && isMap(inner) ? withoutNulls(inner) : inner;
  });

/** Names of the attributes whose planned value is not the prior one. */
export function changedNames(attributes: Attributes, prior: Value, planned: Value): Set<string> {
  return new Set(Object.keys(attributes).filter((name) => !equal(memberOf(prior, name), memberOf(planned, name))));
}

/** As if nothing else changed: a value that means the same as before stays as it was. */
function restingValue(site: Site): Value {
  const { attribute, value, parallel, parallelObjects, descend } = site;
  const [config = null, prior = null, restored = null] = parallel;
  if (attribute.writeOnly) return null;
  // Terraform proposes null for an object whose members it takes for configured values, even if the server set them.
  if (isComputed(attribute) && isNull(config)) return isMap(parallelObjects[1] ?? null) ? restored : value;
  if (leavesKeysAlone(attribute, config) && isMap(restored) && restored.size > 0) return restored;
  if (nestingOf(attribute.type) !== null) return descend();
  // A configured value takes over the prior value as a whole or not at all.
  return equal(reconcile(attribute.type, value, prior), prior) ? prior : value;
}

function expectedValue(site: Site): Value {
  const { attribute, value, parallel, parallelObjects, descend } = site;
  const [config = null, prior = null] = parallel;
  if (attribute.writeOnly) return null;
  if (isComputed(attribute) && isNull(config)) {
    const isUndone = isMap(parallelObjects[1] ?? null) && !equal(value, prior);
    return isUndone || isKept(site) ? value : UNKNOWN;
  }
  if (leavesKeysAlone(attribute, config)) return value;
  return descend();
}

/** A configured map that has no keys, where each key is independent: Terraform takes it as it was, too. */
const leavesKeysAlone = ({ byKey }: Attribute, config: Value): boolean =>
  byKey === true && isMap(config) && config.size === 0;

/**
 * The plan after the hook, where Terraform takes a configured map without keys as it was or without keys, and not in between.
 * `shown`: maps whose keys the plan shows as removed, and that stay.
 */
export function settleEmptyMaps(attributes: Attributes, [config, prior]: readonly [Value, Value], planned: Value) {
  const shown: Path[] = [];
  const settled = transform(attributes, planned, [config, prior], (site) => {
    const { attribute, value, parallel, path, descend } = site;
    const [wanted = null, before = null] = parallel;
    if (!leavesKeysAlone(attribute, wanted)) return descend();
    if (equal(value, before) || equal(value, wanted)) return value;
    shown.push(path);
    return wanted;
  });
  return { planned: settled, shown };
}

function isKept({ attribute, object, parallelObjects }: Site): boolean {
  const prior = parallelObjects[1] ?? null;
  if (attribute.keep === undefined || !isMap(prior)) return false;
  if (attribute.keep === true) return true;
  return attribute.keep.unless.every((name) => equal(memberOf(object, name), memberOf(prior, name)));
}
