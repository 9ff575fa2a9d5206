import { failureText, paramError } from "../kernel/failure.ts";
import { matches } from "./pattern.ts";
import type { Properties, Schema } from "./schema.ts";

// Checks and texts of pve-common `src/PVE/JSONSchema.pm` (check_object, check_prop, check_type).

export type Errors = Record<string, string>;

/** Parameters as the request contains them: texts from a form, any value from JSON (null is Perl's undef). */
export type RawParameters = Record<string, unknown>;

interface Place {
  readonly path: string;
  readonly errors: Errors;
}

export interface Checked {
  /** Integers and numbers as numbers, booleans as 0 and 1; a JSON null is a key with the value undefined. */
  readonly params: Record<string, unknown>;
  /** The scalars as text. */
  readonly given: Record<string, string>;
}

/**
 * Validates the parameters of a request; 400 with one text per invalid parameter, under the name that `nameOf` gives it.
 */
export function checkParameters(
  properties: Properties,
  raw: RawParameters,
  additionalProperties = false,
  nameOf = (parameter: string) => parameter,
): Checked {
  const values = adaptLegacyForms(properties, raw);
  const found: Errors = {};
  checkProperties(properties, values, { path: "", errors: found }, additionalProperties);
  const errors = Object.fromEntries(Object.entries(found).map(([name, text]) => [nameOf(name), text]));
  if (Object.keys(errors).length > 0) {
    paramError(errors);
  }
  const params: Record<string, unknown> = {};
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    const schema = properties[name];
    params[name] = schema === undefined ? value : convert(schema, value);
    if (isDefined(value) && typeof value !== "object") {
      given[name] = asText(value);
    }
  }
  return { params, given };
}

/** RESTHandler's normalisation: joins an array for a `-list`, wraps a scalar for an array. */
function adaptLegacyForms(properties: Properties, raw: RawParameters): RawParameters {
  const adapted: RawParameters = { ...raw };
  for (const [name, value] of Object.entries(raw)) {
    const schema = properties[name];
    if (Array.isArray(value) && schema?.type === "string" && schema.format?.name?.endsWith("-list")) {
      adapted[name] = value.map(asText).join(",");
    } else if (schema?.type === "array" && isTrue(value) && typeof value !== "object") {
      adapted[name] = [value];
    }
  }
  return adapted;
}

export function checkProperties(properties: Properties, values: RawParameters, at: Place, additional = false): void {
  const pathOf = (key: string) => (at.path === "" ? key : `${at.path}.${key}`);
  for (const [key, schema] of Object.entries(properties)) {
    checkValue(schema, values[key], { path: pathOf(key), errors: at.errors });
  }
  for (const key of Object.keys(values)) {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema?.requires !== undefined && !isDefined(values[schema.requires])) {
      addError(at.errors, pathOf(schema.requires), `missing property required by '${pathOf(key)}'`);
    }
    if (schema === undefined && !additional) {
      addError(
        at.errors,
        pathOf(key),
        "property is not defined in schema and the schema does not allow additional properties",
      );
    }
  }
}

function checkValue(schema: Schema, value: unknown, at: Place): void {
  if (schema.alias !== undefined) {
    return;
  }
  if (!isDefined(value)) {
    if (!schema.optional) {
      addError(at.errors, at.path, "property is missing and it is not optional");
    }
    return;
  }
  const problem = typeProblem(schema.type, value);
  if (problem !== undefined) {
    addError(at.errors, at.path, problem);
    return;
  }
  if (schema.type === "array") {
    (value as unknown[]).forEach((item, index) => {
      checkValue(schema.items, item, { path: `${at.path}[${index}]`, errors: at.errors });
    });
    return;
  }
  if (schema.type === "object") {
    checkProperties(schema.properties, value as RawParameters, at, schema.additionalProperties);
    return;
  }
  if (schema.type !== "boolean" && schema.type !== "any") {
    const text = scalarProblem(schema, asText(value), at.path);
    if (text !== undefined) {
      addError(at.errors, at.path, text);
    }
  }
}

function typeProblem(type: Schema["type"], value: unknown): string | undefined {
  if (type === "any") {
    return undefined;
  }
  const reference = referenceType(value);
  if (type === "array" || type === "object") {
    return reference === (type === "array" ? "ARRAY" : "HASH") ? undefined : `type check ('${type}') failed`;
  }
  if (reference !== undefined) {
    return type === "boolean" && typeof value === "boolean"
      ? undefined
      : `type check ('${type}') failed - got ${reference}`;
  }
  const text = asText(value);
  const holds =
    type === "string" ||
    (type === "boolean" && (text === "0" || text === "1")) ||
    (type === "integer" && /^[+-]?\d+\n?$/.test(text)) ||
    (type === "number" && isNumber(text));
  return holds ? undefined : `type check ('${type}') failed - got '${text}'`;
}

/** Only the first error of a value is reported. */
function scalarProblem(
  schema: Extract<Schema, { type: "string" | "integer" | "number" }>,
  value: string,
  path: string,
): string | undefined {
  try {
    schema.format?.verify(value, path);
  } catch (thrown) {
    return `invalid format - ${failureText(thrown)}`;
  }
  if (schema.pattern !== undefined && !matches(schema.pattern, value)) {
    return "value does not match the regex pattern";
  }
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return `value may only be ${schema.maxLength} characters long`;
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    return `value must be at least ${schema.minLength} characters long`;
  }
  if (isNumber(value)) {
    if (schema.maximum !== undefined && Number(value) > schema.maximum) {
      return `value must have a maximum value of ${schema.maximum}`;
    }
    if (schema.minimum !== undefined && Number(value) < schema.minimum) {
      return `value must have a minimum value of ${schema.minimum}`;
    }
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return `value '${value}' does not have a value in the enumeration '${schema.enum.join(", ")}'`;
  }
  return undefined;
}

function convert(schema: Schema, value: unknown): unknown {
  if (!isDefined(value)) {
    return undefined;
  }
  switch (schema.type) {
    case "integer":
    case "number":
      return Number(value);
    case "boolean":
      return Number(value) as 0 | 1;
    case "string":
      return asText(value);
    case "array":
      return (value as unknown[]).map((item) => convert(schema.items, item));
    case "object":
      return Object.fromEntries(
        Object.entries(value as RawParameters).map(([name, member]) => {
          const inner = schema.properties[name];
          return [name, inner === undefined ? member : convert(inner, member)];
        }),
      );
    case "any":
      return value;
  }
}

function addError(errors: Errors, path: string, text: string): void {
  const place = path === "" ? "_root" : path;
  // The separator is a backslash and an n: PVE joins with the single-quoted '\n'.
  errors[place] = errors[place] === undefined ? text : `${errors[place]}\\n${text}`;
}

function isNumber(text: string): boolean {
  return /^[+-]?(?:\d+\.\d+|\d+\.|\.\d+|\d+)(?:[eE][+-]?\d+)?\n?$/.test(text);
}

const isDefined = (value: unknown) => value !== undefined && value !== null;

/** Truth in Perl. */
const isTrue = (value: unknown) => isDefined(value) && value !== "" && value !== "0" && value !== 0 && value !== false;

/** Perl's `ref`: undefined for a scalar. */
function referenceType(value: unknown): string | undefined {
  if (typeof value === "boolean") {
    return "JSON::PP::Boolean";
  }
  if (Array.isArray(value)) {
    return "ARRAY";
  }
  return typeof value === "object" ? "HASH" : undefined;
}

function asText(value: unknown): string {
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
}
