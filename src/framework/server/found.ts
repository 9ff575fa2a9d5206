import { type Attributes, isComputed } from "../schema/attribute.ts";
import { takeObject } from "../schema/take.ts";
import { UNKNOWN } from "../values/unknown.ts";
import { isNull, memberOf, type Value } from "../values/value.ts";

/**
 * What was asked for and what was found, as one object. What the person wrote stays as written; null for `found` means
 * that it will be looked up later. Throws `SchemaMismatch`.
 */
export function complete(attributes: Attributes, config: Value, found: object | null): Value {
  const computed = Object.fromEntries(Object.entries(attributes).filter(([, attribute]) => isComputed(attribute)));
  const values = found === null ? null : takeObject(computed, found, "observed");
  return new Map(
    Object.entries(attributes).map(([name, attribute]) => {
      const given = memberOf(config, name);
      if (!isNull(given) || !isComputed(attribute)) return [name, given];
      return [name, values === null ? UNKNOWN : memberOf(values, name)];
    }),
  );
}
