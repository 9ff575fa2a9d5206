import { transform } from "../schema/walk.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, memberOf, type Value } from "../values/value.ts";
import type { Change } from "./propose.ts";

/**
 * What create and update are to bring about: the plan, and the write-only values that only the configuration has. One
 * with a trigger that did not change is left as it is, which is what "unknown" means to these hooks.
 */
export function desiredValue({ attributes, prior, config }: Omit<Change, "proposed">, planned: Value): Value {
  return transform(attributes, planned, [config, prior], ({ attribute, beside, object, objectsBeside, descend }) => {
    const { writeOnly } = attribute;
    if (!writeOnly) return descend();
    const before = objectsBeside[1] ?? null;
    const untouched =
      writeOnly !== true &&
      isMap(before) &&
      equal(memberOf(object, writeOnly.trigger), memberOf(before, writeOnly.trigger));
    return untouched ? UNKNOWN : (beside[0] ?? null);
  });
}
