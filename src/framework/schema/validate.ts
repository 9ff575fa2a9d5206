import type { Path } from "../diagnostics.ts";
import type { Numeric } from "../values/number.ts";
import { isNull, isUnknown, isWhollyKnown, type Value } from "../values/value.ts";
import type { Attribute } from "./attribute.ts";
import { type Part, partsOf } from "./parts.ts";
import { formatPath } from "./path.ts";
import { quote } from "./quote.ts";
import { isSecret } from "./secrets.ts";
import { toView } from "./to-view.ts";
import { isSlotMap, type Type } from "./type.ts";

/** A value that the schema does not allow: the place, and sentences for the user. */
export interface ValidationIssue {
  readonly path: Path;
  readonly summary: string;
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
 * Checks a user's value against its type: values that only the provider may set, nulls where a value is required or a
 * collection has no room for them, precision, and the type's checks. Of a value that is not known yet, only its place is
 * checked. Terraform reports a required argument that is not written, but not one that is null.
 */
export function validate(type: Type, value: Value, place: Place = TOP): ValidationIssue[] {
  if (isNull(value) || isUnknown(value)) return [];
  const imprecise = imprecision(type, value);
  if (imprecise !== undefined) return [issue(place, value, imprecise)];
  return [
    ...problemsOf(type, value, place).map((problem) => issue(place, value, problem)),
    ...partsOf(type, value).flatMap((part) => {
      const here = placeOf(part, place);
      const misplaced = misplacement(part, here, type);
      return misplaced === undefined ? validate(part.type, part.value, here) : [misplaced];
    }),
  ];
}

const TOP: Place = { path: [], isHidden: false, isInSet: false };

const placeOf = ({ step, attribute }: Part, around: Place): Place => ({
  path: [...around.path, ...step],
  isHidden: around.isHidden || (attribute !== undefined && isSecret(attribute)),
  isInSet: step.length === 0,
});

/** A value, or a null, that the schema does not allow at this place, whatever the value is. */
function misplacement({ attribute, value, type }: Part, place: Place, around: Type): ValidationIssue | undefined {
  if (isNull(value)) {
    if (attribute ? !isNeeded(attribute) : type.nullable || isSlotMap(around)) return undefined;
    return issue(place, value, attribute ? "A value is required." : "Must not be null.");
  }
  if (attribute?.mode !== "computed") return undefined;
  return {
    path: place.path,
    summary: "Read-only attribute",
    place: `${formatPath(place.path)} is read-only: only the provider sets it.`,
    problem: attribute.instead ?? "Remove the line.",
  };
}

/** What the server does not return is null in the configuration of an object that was imported. */
const isNeeded = ({ mode, local }: Attribute): boolean => mode === "required" && !local;

/** The nulls of an object that exists already, and that a new one cannot be made with. */
export const missingInNew = (root: Type, config: Value): ValidationIssue[] =>
  partsOf(root, config)
    .filter(({ attribute, value }) => attribute?.mode === "required" && attribute.local && isNull(value))
    .map((part) => issue(placeOf(part, TOP), null, "A value is required to create it."));

function issue({ path, isHidden, isInSet }: Place, value: Value, problem: string): ValidationIssue {
  const quoted = isHidden ? undefined : quote(value);
  const verb = isInSet ? "contains" : "is";
  const place = quoted === undefined ? `${formatPath(path)} is not valid.` : `${formatPath(path)} ${verb} ${quoted}.`;
  return { path, summary: "Invalid value", place: path.length === 0 ? "" : place, problem };
}

function problemsOf(type: Type, value: Value, { path }: Place): string[] {
  if (type.checks.length === 0 || !isJudgeable(type, value)) return [];
  const shown = toView(type, value, "config");
  try {
    return type.checks.map((check) => check(shown)).filter((problem) => problem !== undefined);
  } catch (cause) {
    throw new Error(`a check of ${formatPath(path)} failed`, { cause });
  }
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
