import type { Path } from "../diagnostics.ts";
import type { Attribute, Attributes } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import { isNull, memberOf, type Value } from "../values/value.ts";

/** The attributes inside this type, if it is a single object. */
export const membersIn = ({ shape }: Type): Attributes | null => (shape.kind === "nested" ? shape.attributes : null);

/** The type of each element, where the keys of a map are independent. */
export const elementByKey = ({ type: { shape }, byKey }: Attribute): Type | null =>
  byKey && shape.kind === "map" ? shape.element : null;

/**
 * Whether removing the argument for this attribute undoes it. Local values need no undo, and a value that would replace
 * the object stays, unless the plan hook decides about that. Inside an object that may be computed (`isInside`), any attribute may be computed, whatever its
 * mode.
 */
export const isUndoable = ({ mode, local, undo, replace }: Attribute, isInside: boolean): boolean =>
  (mode === "optional_computed" || (isInside && mode !== "computed")) &&
  !local &&
  undo !== "ignore" &&
  (replace === undefined || (typeof replace === "object" && replace.decide === undefined));

/** Whether a value here was set by a user, and could be unset: an argument may have set it. */
export const isSettable = (attribute: Attribute, isInside: boolean): boolean =>
  isUndoable(attribute, isInside) && attribute.type.nullable && attribute.undo === undefined;

/**
 * Whether the configuration decides the value of the attribute: by its own argument, or by a sibling that also changes
 * it (`keep.unless`), as a limit for both directions replaces one for each.
 */
export function isDecided(attributes: Attributes, name: string, config: Value): boolean {
  if (!isNull(memberOf(config, name))) return true;
  const { keep, undo } = attributes[name] ?? {};
  if (typeof keep !== "object" || keep.own || undo === "never") return false;
  return keep.unless.some((other) => attributes[other]?.undo !== "never" && !isNull(memberOf(config, other)));
}

export const atAttribute = (path: Path, attribute: string): Path => [...path, { attribute }];
export const atKey = (path: Path, key: string): Path => [...path, { key }];
