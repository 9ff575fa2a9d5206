import { transform } from "../schema/walk.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, memberOf, type Value } from "../values/value.ts";
import type { Change } from "./propose.ts";

/**
 * The target of create and update: the plan, and the write-only values, which only the configuration has. A write-only
 * value whose trigger did not change stays as it is, which "unknown" means to these hooks.
 */
export function desiredValue({ attributes, prior, config }: Omit<Change, "proposed">, planned: Value): Value {
  return transform(
    attributes,
    planned,
    [config, prior],
    ({ attribute, parallel, object, parallelObjects, descend }) => {
      const { writeOnly } = attribute;
      if (!writeOnly) return descend();
      const before = parallelObjects[1] ?? null;
      const untouched =
        writeOnly !== true &&
        isMap(before) &&
        equal(memberOf(object, writeOnly.trigger), memberOf(before, writeOnly.trigger));
      return untouched ? UNKNOWN : (parallel[0] ?? null);
    },
  );
}
