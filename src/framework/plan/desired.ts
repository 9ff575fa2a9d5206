import { transform } from "../schema/walk.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { equal, isMap, isNull, memberOf, type Value } from "../values/value.ts";
import type { Change } from "./propose.ts";

/**
 * The target of create and update: the plan, and the write-only values, which only the configuration has. A write-only
 * value whose trigger did not change stays as it is, which "unknown" means to these hooks. So does one that a new object
 * is not given: the object may have been made with a value of its own, as a clone is.
 */
export function desiredValue({ attributes, prior, config }: Omit<Change, "proposed">, planned: Value): Value {
  return transform(
    attributes,
    planned,
    [config, prior],
    ({ attribute, parallel, object, parallelObjects, descend }) => {
      const { writeOnly } = attribute;
      if (!writeOnly) return descend();
      const given = parallel[0] ?? null;
      if (writeOnly === true) return given;
      const before = parallelObjects[1] ?? null;
      const untouched = isMap(before)
        ? equal(memberOf(object, writeOnly.trigger), memberOf(before, writeOnly.trigger))
        : isNull(given);
      return untouched ? UNKNOWN : given;
    },
  );
}
