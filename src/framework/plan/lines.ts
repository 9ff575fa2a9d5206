import type { Path } from "../diagnostics.ts";
import type { Attribute, Attributes } from "../schema/attribute.ts";
import type { Type } from "../schema/type.ts";
import { isNull, memberOf, type Value } from "../values/value.ts";

/** Attributes inside one of this type, if it is one object. */
export const membersIn = ({ shape }: Type): Attributes | null => (shape.kind === "nested" ? shape.attributes : null);

/** The type of each element, where each key of a map stands for itself. */
export const elementByKey = ({ type: { shape }, byKey }: Attribute): Type | null =>
  byKey && shape.kind === "map" ? shape.element : null;

/**
 * Whether a line of the configuration that sets this attribute is undone when it leaves. Values that only Terraform knows
 * leave by themselves, and a value that would replace the object stays. What is in an object that may be computed
 * (`isInside`) may be computed with it, whatever its own mode is.
 */
export const isUndoable = ({ mode, local, undo, replace }: Attribute, isInside: boolean): boolean =>
  (mode === "optional_computed" || (isInside && mode !== "computed")) &&
  !local &&
  undo !== "ignore" &&
  replace === undefined;

/**
 * Whether the configuration decides the value of the attribute: by a line of its own, or by a neighbour's that changes it
 * too (`keep.unless`), as a limit for both directions takes the place of one for each.
 */
export function isDecided(attributes: Attributes, name: string, config: Value): boolean {
  if (!isNull(memberOf(config, name))) return true;
  const { keep, undo } = attributes[name] ?? {};
  if (typeof keep !== "object" || undo === "never") return false;
  return keep.unless.some((other) => attributes[other]?.undo !== "never" && !isNull(memberOf(config, other)));
}

export const atAttribute = (path: Path, attribute: string): Path => [...path, { attribute }];
export const atKey = (path: Path, key: string): Path => [...path, { key }];
