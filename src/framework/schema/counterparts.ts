import { elementsOf, equal, isMap, isNull, isUnknown, memberOf, membersOf, type Value } from "../values/value.ts";
import { isComputed } from "./attribute.ts";
import type { Type } from "./type.ts";

/**
 * For each element of a set its counterpart in another version of the set, or null. Elements have no names, so the
 * counterpart is an equal element, else one that differs in computed values only. Each is used once; elements with the
 * fewest candidates are matched first.
 */
export function counterparts(type: Type, elements: readonly Value[], others: readonly Value[]): Value[] {
  const found = elements.map((): Value => null);
  const free = new Set(others);
  const choices = elements.map((element, index) => ({ index, candidates: candidatesFor(type, element, others) }));
  for (const { index, candidates } of choices.sort((a, b) => a.candidates.length - b.candidates.length)) {
    const choice = candidates.find((candidate) => free.delete(candidate));
    if (choice !== undefined) found[index] = choice;
  }
  return found;
}

function candidatesFor(type: Type, element: Value, others: readonly Value[]): readonly Value[] {
  const same = others.filter((other) => equal(other, element));
  if (same.length > 0) return same;
  return others.filter((other) => completes(type, other, element) || completes(type, element, other));
}

/** Whether `whole` is `part` with computed values filled in. */
function completes({ shape }: Type, whole: Value, part: Value): boolean {
  if (equal(whole, part)) return true;
  if (isNull(whole) || isNull(part) || isUnknown(whole) || isUnknown(part)) return false;
  switch (shape.kind) {
    case "nested":
      return Object.entries(shape.attributes).every(([name, attribute]) => {
        const member = memberOf(part, name);
        return (isNull(member) && isComputed(attribute)) || completes(attribute.type, memberOf(whole, name), member);
      });
    case "list":
    case "set": {
      const [wholes, parts] = [elementsOf(whole), elementsOf(part)];
      if (wholes.length !== parts.length) return false;
      return parts.every((item, index) =>
        shape.kind === "list"
          ? completes(shape.element, wholes[index] ?? null, item)
          : wholes.some((candidate) => completes(shape.element, candidate, item)),
      );
    }
    case "map":
      return (
        isMap(whole) &&
        isMap(part) &&
        whole.size === part.size &&
        [...membersOf(part)].every(
          ([key, item]) => whole.has(key) && completes(shape.element, memberOf(whole, key), item),
        )
      );
    case "tuple":
    case "object":
    case "string":
    case "bool":
    case "number":
    case "dynamic":
      return false;
  }
}
