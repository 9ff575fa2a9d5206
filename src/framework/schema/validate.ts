import type { Path } from "../diagnostics.ts";
import type { Numeric } from "../values/number.ts";
import { isNull, isUnknown, isWhollyKnown, type Value } from "../values/value.ts";
import { type Part, partsOf } from "./parts.ts";
import { formatPath } from "./path.ts";
import { quote } from "./quote.ts";
import { isSecret } from "./secrets.ts";
import { toView } from "./to-view.ts";
import { isSlotMap, type Type } from "./type.ts";

/** A value that its type does not allow: the place, and sentences for the user. */
export interface ValidationIssue {
  readonly path: Path;
  /** `networks["net0"].vlan is 5000.`, without the value if that is a secret. */
  readonly place: string;
  readonly problem: string;
}

/** The place of a value. */
interface Place {
  readonly path: Path;
  readonly isHidden: boolean;
  /** Paths cannot lead into a set. */
  readonly isInSet: boolean;
}

/**
 * Checks a user's value against its type: the type's checks, precision, and nulls that a collection does not allow.
 * Values that are not known yet are not checked. Terraform itself reports missing required attributes.
 */
export function validate(type: Type, value: Value, place: Place = TOP): ValidationIssue[] {
  if (isNull(value) || isUnknown(value)) return [];
  const imprecise = imprecision(type, value);
  if (imprecise !== undefined) return [issue(place, value, imprecise)];
  return [
    ...problemsOf(type, value).map((problem) => issue(place, value, problem)),
    ...partsOf(type, value).flatMap((part) => {
      const here = placeOf(part, place);
      if (isNull(part.value) && !part.attribute && !part.type.nullable && !isSlotMap(type))
        return issue(here, part.value, "Must not be null.");
      return validate(part.type, part.value, here);
    }),
  ];
}

const TOP: Place = { path: [], isHidden: false, isInSet: false };

const placeOf = ({ step, attribute }: Part, around: Place): Place => ({
  path: [...around.path, ...step],
  isHidden: around.isHidden || (attribute !== undefined && isSecret(attribute)),
  isInSet: step.length === 0,
});

function issue({ path, isHidden, isInSet }: Place, value: Value, problem: string): ValidationIssue {
  const quoted = isHidden ? undefined : quote(value);
  const verb = isInSet ? "contains" : "is";
  const place = quoted === undefined ? `${formatPath(path)} is not valid.` : `${formatPath(path)} ${verb} ${quoted}.`;
  return { path, place: path.length === 0 ? "" : place, problem };
}

function problemsOf(type: Type, value: Value): string[] {
  if (type.checks.length === 0 || !isJudgeable(type, value)) return [];
  const shown = toView(type, value, "config");
  return type.checks.map((check) => check(shown)).filter((problem) => problem !== undefined);
}

/** The length of a list is known before its elements are; that of a set is not, since elements may become equal. */
const isJudgeable = ({ shape }: Type, value: Value): boolean =>
  shape.kind === "list" || shape.kind === "map" || isWhollyKnown(value);

function imprecision({ shape }: Type, value: Value): string | undefined {
  if (shape.kind !== "number") return undefined;
  const number = value as Numeric;
  if (shape.as === "int" && !Number.isSafeInteger(number)) return "Must be a whole number of at most 9007199254740991.";
  if (shape.as === "number" && typeof number !== "number") return "Has more digits than can be handled exactly.";
  return undefined;
}
