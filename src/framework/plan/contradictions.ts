import type { Path } from "../diagnostics.ts";
import { type Part, partsOf } from "../schema/parts.ts";
import type { Type } from "../schema/type.ts";
import { Dynamic, elementsOf, equal, isNull, isUnknown, type Value } from "../values/value.ts";

export interface Contradiction {
  readonly path: Path;
  /** What happened to the planned value. It quotes neither value, since both may be secret. */
  readonly problem: string;
}

/** Where an object differs from its plan. An unknown value may become anything. */
export function contradictions(type: Type, planned: Value, actual: Value, path: Path = []): Contradiction[] {
  if (isUnknown(planned) || equal(planned, actual)) return [];
  if (isNull(planned)) return [{ path, problem: "was planned to be absent, but is there" }];
  if (isNull(actual)) return [{ path, problem: "was planned, but is absent" }];
  if (planned instanceof Dynamic && actual instanceof Dynamic && planned.signature === actual.signature) {
    return contradictions(planned.type, planned.value, actual.value, path);
  }
  const { shape } = type;
  if (shape.kind === "set") return setContradictions(shape.element, elementsOf(planned), elementsOf(actual), path);
  const wanted = partsOf(type, planned);
  const found = partsByStep(partsOf(type, actual));
  if (wanted.length !== found.size) return [{ path, problem: "has more or fewer elements than planned" }];
  if (wanted.length === 0) return [{ path, problem: "is not what was planned" }];
  return wanted.flatMap((part) => {
    const here = [...path, ...part.step];
    const value = found.get(keyOf(part))?.value;
    if (value === undefined) return { path: here, problem: "was planned, but is absent" };
    return contradictions(part.type, part.value, value, here);
  });
}

const partsByStep = (parts: Part[]): Map<string, Part> => new Map(parts.map((part) => [keyOf(part), part]));
const keyOf = ({ step }: Part): string => JSON.stringify(step);

/** Elements have no position to match by: each must agree with some element of the other set. */
function setContradictions(
  type: Type,
  planned: readonly Value[],
  actual: readonly Value[],
  path: Path,
): Contradiction[] {
  const agree = (wanted: Value, found: Value) => contradictions(type, wanted, found).length === 0;
  const matched =
    actual.length <= planned.length &&
    planned.every((wanted) => actual.some((found) => agree(wanted, found))) &&
    actual.every((found) => planned.some((wanted) => agree(wanted, found)));
  return matched ? [] : [{ path, problem: "does not have the elements that were planned" }];
}
