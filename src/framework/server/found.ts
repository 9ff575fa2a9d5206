import { type Attributes, isComputed } from "../schema/attribute.ts";
import { fromObjectView } from "../schema/from-view.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { isNull, memberOf, type Value } from "../values/value.ts";

/**
 * The arguments and the results of a lookup as one object. Values of the user stay as written; null for `found` means
 * that the lookup is deferred. Throws `SchemaMismatch`.
 */
export function complete(attributes: Attributes, config: Value, found: object | null): Value {
  const computed = Object.fromEntries(Object.entries(attributes).filter(([, attribute]) => isComputed(attribute)));
  const values = found === null ? null : fromObjectView(computed, found, "observed");
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => {
      const given = memberOf(config, name);
      if (!isNull(given) || !isComputed(attribute)) return [name, given];
      return [name, values === null ? UNKNOWN : memberOf(values, name)];
    }),
  );
}
