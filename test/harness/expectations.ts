import { isWhollyKnown } from "./plan-valid.ts";
import { type Problem, type Rule, RuleViolation } from "./problem.ts";
import type { Body } from "./schema.ts";
import type { Type } from "./type.ts";
import { attributeOf, equals, isObject, isUnknown, join, show, type Value, walk } from "./value.ts";

export function expectRule(rule: Rule, subject: string, problems: Problem[]): void {
  if (problems.length > 0) throw new RuleViolation(rule, subject, problems);
}

export function expectKnown(subject: string, state: Value, rule: Rule = "nothing is unknown after apply"): void {
  const problems: Problem[] = [];
  walk(state, (value, path) => {
    if (isUnknown(value)) problems.push({ path, text: "is unknown" });
    return undefined;
  });
  expectRule(rule, subject, problems);
}

export function expectWriteOnlyNull(subject: string, body: Body, state: Value): void {
  const problems = writeOnlyValues(body, state, "").map((path) => ({ path, text: "is not null" }));
  expectRule("write-only values are never returned", subject, problems);
}

function writeOnlyValues(body: Body, value: Value, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => writeOnlyValues(body, item, `${path}[${index}]`));
  return Object.entries(body.attributes).flatMap(([name, attribute]) => {
    const member = attributeOf(value, name);
    const here = join(path, name);
    if (member === null || isUnknown(member)) return [];
    if (attribute.writeOnly) return [here];
    const { nested } = attribute;
    if (!nested) return [];
    if (nested.nesting !== "map" || !isObject(member)) return writeOnlyValues(nested, member, here);
    return Object.keys(member).flatMap((key) => writeOnlyValues(nested, member[key] ?? null, `${here}[${key}]`));
  });
}

/** Reports each place where the two differ. Unknown counts as different from everything, itself included. */
export function expectSame(rule: Rule, subject: string, type: Type, before: Value, after: Value): void {
  if (equals(type, before, after) && isWhollyKnown(after)) return;
  const was = placesOf(before);
  const is = placesOf(after);
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(
    (path) => !isSamePlace(was.get(path), is.get(path)),
  );
  const isContainer = (path: string) =>
    changed.some((other) => other.startsWith(`${path}.`) || other.startsWith(`${path}[`));
  const problems = changed
    .filter((path) => path !== "" && !isContainer(path))
    .map((path) => ({ path, text: `was ${was.get(path) ?? "absent"} and is ${is.get(path) ?? "absent"}` }));
  expectRule(rule, subject, changed.length > 0 && problems.length === 0 ? [{ path: "", text: "differs" }] : problems);
}

function isSamePlace(was: string | undefined, is: string | undefined): boolean {
  return was === is && !is?.includes("(unknown)");
}

/** Every place in a value by its path, outermost included. */
export function placesOf(value: Value): Map<string, string> {
  const places = new Map<string, string>();
  walk(value, (part, path) => {
    places.set(path, show(part));
    return undefined;
  });
  return places;
}
