import type { Path } from "../diagnostics.ts";
import { isList, isMap, type Value } from "./value.ts";

/** The value at a path, or undefined if there is no such place. */
export function getAt(value: Value, path: Path): Value | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const inner =
    "index" in step
      ? isList(value)
        ? value[step.index]
        : undefined
      : isMap(value)
        ? value.get(keyOf(step))
        : undefined;
  return inner === undefined ? undefined : getAt(inner, rest);
}

/** A copy that differs at one place. Nothing changes if there is no such place. */
export function setAt(value: Value, path: Path, replacement: Value): Value {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if ("index" in step) {
    return isList(value)
      ? value.map((element, index) => (index === step.index ? setAt(element, rest, replacement) : element))
      : value;
  }
  const key = keyOf(step);
  const inner = isMap(value) ? value.get(key) : undefined;
  return isMap(value) && inner !== undefined ? new Map(value).set(key, setAt(inner, rest, replacement)) : value;
}

const keyOf = (step: { attribute: string } | { key: string }): string => ("key" in step ? step.key : step.attribute);
