import type { Problem } from "./problem.ts";
import type { Attribute, Body, Nested } from "./schema.ts";
import { attributeOf, equals, isObject, isUnknown, join, show, type Value, walk } from "./value.ts";

/** The three values that decide whether a plan is valid, at one place. */
interface Triple {
  prior: Value;
  config: Value;
  planned: Value;
}

/**
 * A plan may fill in computed attributes that the configuration leaves out, and may keep a prior value to say that the
 * configured one means the same; everything else must be as configured.
 */
export function planProblems(body: Body, prior: Value, config: Value, planned: Value): Problem[] {
  return objectProblems(body, { prior, config, planned }, "");
}

function objectProblems(body: Body, triple: Triple, path: string): Problem[] {
  if (triple.planned === null && triple.config === null) return [];
  if (triple.planned === null) return [{ path, text: "is configured, but the plan has nothing there" }];
  if (triple.config === null) return [{ path, text: "is not configured, but the plan has something there" }];
  return attributesProblems(body, triple, path);
}

function attributesProblems(body: Body, triple: Triple, path: string): Problem[] {
  return Object.entries(body.attributes).flatMap(([name, attribute]) =>
    attributeProblems(attribute, pick(triple, name), join(path, name)),
  );
}

function pick({ prior, config, planned }: Triple, name: string): Triple {
  return { prior: attributeOf(prior, name), config: attributeOf(config, name), planned: attributeOf(planned, name) };
}

function attributeProblems(attribute: Attribute, triple: Triple, path: string): Problem[] {
  const { prior, config, planned } = triple;
  if (equals(attribute.type, planned, config)) return [];
  if (prior !== null && config !== null && equals(attribute.type, planned, prior)) return [];
  if (attribute.computed && (config === null || !attribute.optional)) return [];
  if (config === null) return [{ path, text: `is not computed, yet ${quote(attribute, planned)} is planned` }];
  if (planned === null && attribute.writeOnly) return [];
  if (attribute.nested) return nestedProblems(attribute.nested, triple, path);
  const nor = prior === null ? "" : ` and was ${quote(attribute, prior)}`;
  return [
    { path, text: `is configured as ${quote(attribute, config)}${nor}, yet ${quote(attribute, planned)} is planned` },
  ];
}

function quote(attribute: Attribute, value: Value): string {
  return attribute.sensitive ? "(sensitive)" : show(value);
}

function nestedProblems(nested: Nested, triple: Triple, path: string): Problem[] {
  const { prior, config, planned } = triple;
  if (planned === null) return [{ path, text: "is configured, but the plan has nothing there" }];
  if (isUnknown(planned)) return [{ path, text: "is configured, yet planned as unknown" }];
  if (isUnknown(config)) return [{ path, text: "is unknown in the configuration, yet planned as known" }];
  if (nested.nesting === "single") return attributesProblems(nested, triple, path);
  if (nested.nesting === "set") return setProblems(config as Value[], planned as Value[], path);
  const keys = (value: Value) => (isObject(value) || Array.isArray(value) ? Object.keys(value) : []);
  const member = (value: Value, key: string) =>
    keys(value).includes(key) ? ((value as { [key: string]: Value })[key] ?? null) : null;
  const added = keys(planned).filter((key) => !keys(config).includes(key));
  const lost = keys(config).filter((key) => !keys(planned).includes(key));
  return [
    ...added.map((key) => ({ path: `${path}[${key}]`, text: "is planned, but not configured" })),
    ...lost.map((key) => ({ path: `${path}[${key}]`, text: "is configured, but the plan has nothing there" })),
    ...keys(planned)
      .filter((key) => keys(config).includes(key))
      .flatMap((key) => {
        const inner = { prior: member(prior, key), config: member(config, key), planned: member(planned, key) };
        return objectProblems(nested, inner, `${path}[${key}]`);
      }),
  ];
}

/** Elements of a set cannot be distinguished, so only their number is checked; unknown ones may turn out to be equal. */
function setProblems(config: Value[], planned: Value[], path: string): Problem[] {
  const least = isWhollyKnown(planned) ? planned.length : Math.min(1, planned.length);
  const fits = !isWhollyKnown(config) || (config.length >= least && config.length <= planned.length);
  return fits ? [] : [{ path, text: `has ${config.length} elements configured and ${planned.length} planned` }];
}

export function isWhollyKnown(value: Value): boolean {
  let known = true;
  walk(value, (part) => {
    if (isUnknown(part)) known = false;
    return known;
  });
  return known;
}
