import type { MethodFacts, ParameterFacts, ParametersFacts } from "../../../schema/pve/facts.ts";
import type { Endpoint } from "../../../src/simulator/core/kernel/endpoint.ts";
import type { Check, Permissions } from "../../../src/simulator/core/kernel/permission.ts";
import type { Format } from "../../../src/simulator/core/schema/format.ts";
import type { PropertyFormat } from "../../../src/simulator/core/schema/property-string.ts";
import type { Properties, Schema } from "../../../src/simulator/core/schema/schema.ts";

type Complain = (place: string, what: string) => void;

/** What of an endpoint differs from the published method; empty if nothing does. */
export function differences(endpoint: Endpoint, published: MethodFacts): string[] {
  const found: string[] = [];
  const complain: Complain = (place, what) => found.push(`${endpoint.method} ${endpoint.path}${place}: ${what}`);
  const same = (name: string, ours: unknown, theirs: unknown) => {
    if (JSON.stringify(ours) !== JSON.stringify(theirs)) {
      complain("", `${name} is ${JSON.stringify(ours)}, published ${JSON.stringify(theirs)}`);
    }
  };
  same("protected", endpoint.protected === true, published.protected === 1);
  same("proxyTo", endpoint.proxyTo, published.proxyto ?? undefined);
  same("allowToken", endpoint.allowToken !== false, published.allowtoken === 1);
  same("permissions", publishedForm(endpoint.permissions), decidingPart(published.permissions));
  compareProperties(endpoint.parameters, propertiesOf(published.parameters ?? {}), " ", complain);
  return found;
}

/** `user` decides before `check` is looked at. */
function decidingPart(permissions: MethodFacts["permissions"]): unknown {
  return permissions?.user ?? (permissions?.check === undefined ? undefined : normalized(permissions.check));
}

/** Numbers and their texts are the same to Perl, and the order of alternatives does not matter. */
function normalized(value: unknown): unknown {
  if (!Array.isArray(value)) {
    return typeof value === "number" ? String(value) : value;
  }
  const [first, ...rest] = value.map(normalized);
  return first === "or" || first === "and"
    ? [first, ...rest.map((part) => JSON.stringify(part)).sort()]
    : [first, ...rest];
}

function publishedForm(permissions: Permissions | undefined): unknown {
  if (permissions === undefined) {
    return undefined;
  }
  return "check" in permissions ? normalized(publishedCheck(permissions.check)) : permissions.user;
}

function publishedCheck(check: Check): unknown {
  if (check[0] === "and" || check[0] === "or") {
    return [check[0], ...(check.slice(1) as Check[]).map(publishedCheck)];
  }
  return check.flatMap((part) =>
    typeof part === "object" && !Array.isArray(part)
      ? Object.entries(part).flatMap(([name, value]) => [name, value === true ? "1" : value])
      : [part],
  );
}

/** Properties of all variants together; whether one is required then depends on the variant. */
function propertiesOf(parameters: ParametersFacts): Readonly<Record<string, ParameterFacts>> {
  const { properties = {}, allOf = [], oneOf = [], "type-property": type, "type-property-schema": schema } = parameters;
  const variants = oneOf.flatMap((variant) => Object.entries(propertiesOf(variant)));
  return {
    ...properties,
    ...Object.assign({}, ...allOf.map(propertiesOf)),
    ...Object.fromEntries(variants.map(([name, property]) => [name, { ...property, optional: "depends" }])),
    ...(type === undefined ? {} : { [type]: { ...schema, optional: "depends" } }),
  };
}

function compareProperties(
  ours: Properties,
  theirs: Readonly<Record<string, ParameterFacts>>,
  place: string,
  complain: Complain,
): void {
  const theirsOf = (name: string) => theirs[name] ?? theirs[name.replace(/\d+$/, "[n]")];
  for (const [name, schema] of Object.entries(ours)) {
    const published = theirsOf(name);
    if (published === undefined) {
      complain(`${place}${name}`, "is not published");
    } else {
      compareSchema(schema, published, `${place}${name}`, complain);
    }
  }
  for (const name of Object.keys(theirs)) {
    const served = name.endsWith("[n]") ? `${name.slice(0, -3)}0` : name;
    if (ours[served] === undefined) {
      complain(`${place}${name}`, "is published, but not served");
    }
  }
}

const bounds = ["minimum", "maximum", "minLength", "maxLength", "requires", "alias", "keyAlias"] as const;

function compareSchema(ours: Schema, theirs: ParameterFacts, place: string, complain: Complain): void {
  const same = (name: string, one: unknown, other: unknown) => {
    if (String(one) !== String(other)) {
      complain(place, `${name} is ${String(one)}, published ${String(other)}`);
    }
  };
  const rules = ours as unknown as Record<string, unknown>;
  const publishedRules = theirs as Readonly<Record<string, unknown>>;
  if (theirs.alias === undefined) {
    // PVE does not check values of a type that it does not know.
    same("type", ours.type, theirs.type === "ip" ? "string" : theirs.type);
    // A property with variants by type is as optional as the variant is.
    const hasVariants = "type-property" in theirs && theirs.optional === undefined;
    if (theirs.optional !== "depends" && !hasVariants) {
      same("optional", ours.optional ?? false, Number(theirs.optional ?? 0) === 1);
    }
  }
  for (const name of bounds) {
    same(name, rules[name], publishedRules[name]);
  }
  same("default_key", ours.default_key ?? false, theirs.default_key === 1);
  same("enum", rules["enum"], theirs.enum ?? undefined);
  same("pattern", plainPattern(rules["pattern"]), plainPattern(theirs.pattern));
  if (ours.type === "array" && theirs.items !== undefined) {
    compareSchema(ours.items, theirs.items, `${place}[]`, complain);
  }
  compareFormat(rules["format"] as Format | undefined, theirs, place, complain);
}

function compareFormat(ours: Format | undefined, theirs: ParameterFacts, place: string, complain: Complain): void {
  const properties = typeof theirs.format === "object" ? theirs.format : theirs["x-format-schema"];
  const name = typeof theirs.format === "string" ? theirs.format : undefined;
  if (properties === undefined) {
    if (ours?.name !== name) {
      complain(place, `format is ${ours?.name}, published ${name}`);
    }
    return;
  }
  if (ours === undefined || !("properties" in ours)) {
    complain(place, "format is published as a property string");
    return;
  }
  compareProperties((ours as PropertyFormat).properties, properties, `${place}.`, complain);
}

/** Perl's and JavaScript's ways of writing one pattern, brought to one form: without groups, flags and idle escapes. */
function plainPattern(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") {
    return undefined;
  }
  return pattern
    .replaceAll(/\(\?\^?[a-z]*:|(?<!\\)[()]/g, "")
    .replaceAll(/\\(?=[^a-zA-Z0-9])/g, "")
    .replaceAll("{,", "{0,")
    .replaceAll("a-zA-Z", "a-z")
    .replaceAll("A-Za-z", "a-z")
    .replace(/^\^?(.*?)\$?$/s, "$1");
}
