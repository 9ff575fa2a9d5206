import type { Path, PathStep } from "../diagnostics.ts";
import { isList, isMap, type Value } from "./value.ts";

/** The value at a path, or undefined if there is no such place. */
export function getAt(value: Value, path: Path): Value | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner = partAt(value, step);
  return inner === undefined ? undefined : getAt(inner, rest);
}

/** A copy that differs at one place. It is unchanged if there is no such place. */
export function setAt(value: Value, path: Path, replacement: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  const inner = partAt(value, step);
  if (inner === undefined) return value;
  const changed = setAt(inner, rest, replacement);
  if ("index" in step) return isList(value) ? value.with(step.index, changed) : value;
  return isMap(value) ? new Map(value).set(keyOf(step), changed) : value;
}

function partAt(value: Value, step: PathStep): Value | undefined {
  if ("index" in step) return isList(value) ? value[step.index] : undefined;
  return isMap(value) ? value.get(keyOf(step)) : undefined;
}

const keyOf = (step: { attribute: string } | { key: string }): string => ("key" in step ? step.key : step.attribute);
