import type { Problem } from "./problem.ts";
import type { Body } from "./schema.ts";
import type { Type } from "./type.ts";
import {
  attributeOf,
  Decimal,
  Dynamic,
  elementOf,
  equals,
  isObject,
  isUnknown,
  join,
  type Refinement,
  show,
  type Value,
} from "./value.ts";

/** Whether `actual` agrees with `planned`: known values unchanged, unknown ones filled in. */
export function compatibleProblems(body: Body, planned: Value, actual: Value): Problem[] {
  if (planned === null && actual === null) return [];
  if (planned === null) return [{ path: "", text: "was planned to be absent and is there" }];
  if (actual === null) return [{ path: "", text: "was planned and is absent" }];
  return Object.entries(body.attributes).flatMap(([name, attribute]) => {
    const problems = valueProblems(attribute.type, attributeOf(planned, name), attributeOf(actual, name), name);
    if (!attribute.sensitive || problems.length === 0) return problems;
    return [{ path: name, text: "is not what was planned (sensitive)" }];
  });
}

function valueProblems(type: Type, planned: Value, actual: Value, path: string): Problem[] {
  if (isUnknown(planned)) return refinementProblems(planned.refinement, actual, path);
  if (type.kind === "dynamic") return dynamicProblems(planned, actual, path);
  if (isUnknown(actual)) return [{ path, text: `was planned as ${show(planned)} and is unknown now` }];
  if (planned === null || actual === null) {
    return planned === actual ? [] : [{ path, text: `was planned as ${show(planned)} and is ${show(actual)}` }];
  }
  switch (type.kind) {
    case "list":
    case "tuple":
    case "map":
      return membersProblems(type, planned, actual, path);
    case "object":
      return Object.entries(type.attributes).flatMap(([name, attribute]) =>
        valueProblems(attribute, attributeOf(planned, name), attributeOf(actual, name), join(path, name)),
      );
    case "set":
      return setProblems(type.element, planned as Value[], actual as Value[], path);
    default:
      if (equals(type, planned, actual)) return [];
      return [{ path, text: `was planned as ${show(planned)} and is ${show(actual)}` }];
  }
}

function dynamicProblems(planned: Value, actual: Value, path: string): Problem[] {
  if (planned instanceof Dynamic && actual instanceof Dynamic) {
    return valueProblems(planned.type, planned.value, actual.value, path);
  }
  return planned === actual ? [] : [{ path, text: `was planned as ${show(planned)} and is ${show(actual)}` }];
}

function membersProblems(type: Type, planned: Value, actual: Value, path: string): Problem[] {
  const before = planned as { [key: string]: Value };
  const after = actual as { [key: string]: Value };
  const at = (key: string) => `${path}[${key}]`;
  const appeared = Object.keys(after).filter((key) => !Object.hasOwn(before, key));
  return [
    ...appeared.map((key) => ({ path: at(key), text: "was not planned and is there" })),
    ...Object.keys(before).flatMap((key) => {
      if (!Object.hasOwn(after, key)) return [{ path: at(key), text: "was planned and is absent" }];
      const element = elementOf(type, type.kind === "tuple" ? Number(key) : 0);
      return valueProblems(element, before[key] ?? null, after[key] ?? null, at(key));
    }),
  ];
}

/** Every element needs a counterpart; unknown ones may turn out to be equal, and none may be added. */
function setProblems(element: Type, planned: Value[], actual: Value[], path: string): Problem[] {
  const matches = (was: Value, is: Value) => valueProblems(element, was, is, path).length === 0;
  const lost = planned.filter((was) => !actual.some((is) => matches(was, is)));
  const extra = actual.filter((is) => !planned.some((was) => matches(was, is)));
  if (lost.length > 0) return lost.map((was) => ({ path, text: `was planned to contain ${show(was)} and does not` }));
  if (extra.length > 0) return extra.map((is) => ({ path, text: `contains ${show(is)}, which was not planned` }));
  if (actual.length <= planned.length) return [];
  return [{ path, text: `was planned with ${planned.length} elements and has ${actual.length}` }];
}

function refinementProblems(refinement: Refinement, actual: Value, path: string): Problem[] {
  if (isUnknown(actual)) return [];
  const promised = (text: string) => [{ path, text: `was promised to ${text} and is ${show(actual)}` }];
  if (actual === null) return refinement.notNull ? promised("be set") : [];
  const { prefix, minLength, maxLength } = refinement;
  if (prefix !== undefined && !(typeof actual === "string" && actual.startsWith(prefix))) {
    return promised(`start with ${JSON.stringify(prefix)}`);
  }
  const length = sizeOf(actual);
  if (length === undefined) return [];
  if (minLength !== undefined && length < minLength) return promised(`have at least ${minLength} elements`);
  if (maxLength !== undefined && length > maxLength) return promised(`have at most ${maxLength} elements`);
  return [];
}

function sizeOf(value: Value): number | undefined {
  if (value instanceof Decimal || value instanceof Dynamic) return undefined;
  if (Array.isArray(value)) return value.length;
  return isObject(value) ? Object.keys(value).length : undefined;
}
