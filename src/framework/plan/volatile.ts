import type { Attributes } from "../schema/attribute.ts";
import { equal, isMap, isWhollyKnown, memberOf, type Value } from "../values/value.ts";

/** A state whose volatile attributes agree with the plan, and the names of those that differed. */
export interface KeptPlanned {
  readonly state: Value;
  readonly names: readonly string[];
}

/** Keeps the planned value of each volatile attribute that changed outside Terraform between the plan and the read. */
export function keepPlannedVolatile(attributes: Attributes, planned: Value, state: Value): KeptPlanned {
  if (!isMap(state)) return { state, names: [] };
  const names = Object.keys(attributes).filter((name) => {
    const value = memberOf(planned, name);
    return attributes[name]?.volatile && isWhollyKnown(value) && !equal(value, memberOf(state, name));
  });
  if (names.length === 0) return { state, names };
  const held = names.map((name) => [name, memberOf(planned, name)] as const);
  return { state: new Map([...state, ...held]), names };
}
