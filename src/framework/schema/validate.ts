import type { Path } from "../diagnostics.ts";
import type { Numeric } from "../values/number.ts";
import { isNull, isUnknown, isWhollyKnown, type Value } from "../values/value.ts";
import { partsOf } from "./parts.ts";
import { show } from "./show.ts";
import type { Type } from "./type.ts";

/** A value that is not what its type wants: where, and a sentence for the person who wrote it. */
export interface Objection {
  readonly path: Path;
  readonly problem: string;
}

/**
 * Checks what a person wrote against its type: the type's checks, precision, and nulls where a collection has no place
 * for them. What is not known yet is not judged. Missing required attributes are Terraform's own to report.
 */
export function validate(type: Type, value: Value, path: Path = []): Objection[] {
  if (isNull(value) || isUnknown(value)) return [];
  const imprecise = imprecision(type, value);
  if (imprecise !== undefined) return [{ path, problem: imprecise }];
  return [
    ...problemsOf(type, value).map((problem) => ({ path, problem })),
    ...partsOf(type, value).flatMap((part) => {
      const here = [...path, ...part.step];
      if (isNull(part.value) && !part.attribute && !part.type.nullable)
        return { path: here, problem: "Must not be null." };
      return validate(part.type, part.value, here);
    }),
  ];
}

function problemsOf(type: Type, value: Value): string[] {
  if (type.checks.length === 0 || !isJudgeable(type, value)) return [];
  const shown = show(type, value, "config");
  return type.checks.map((check) => check(shown)).filter((problem) => problem !== undefined);
}

/** A list's length is known before its elements are; a set's is not, since they may turn out equal. */
const isJudgeable = ({ shape }: Type, value: Value): boolean =>
  shape.kind === "list" || shape.kind === "map" || isWhollyKnown(value);

function imprecision({ shape }: Type, value: Value): string | undefined {
  if (shape.kind !== "number") return undefined;
  const number = value as Numeric;
  if (shape.as === "int" && !Number.isSafeInteger(number)) return "Must be a whole number of at most 9007199254740991.";
  if (shape.as === "number" && typeof number !== "number") return "Has more digits than can be handled exactly.";
  return undefined;
}
