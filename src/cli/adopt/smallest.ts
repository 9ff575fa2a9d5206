import type { SchemaAttribute, SchemaNesting } from "#framework";
import { hasSecret } from "../export/without-secrets.ts";

type Values = Readonly<Record<string, unknown>>;

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** A secret, which has to be given as a variable. PVE shows few of them, and then a plan compares it. */
export class Secret {
  readonly value: unknown;

  constructor(value: unknown = null) {
    this.value = value;
  }
}

/**
 * What has to be written for a plan to be empty and without warnings: what is required, what would be unset if it were
 * left out, and what a user has set. What stays as it is without being written is left out.
 */
export function smallest(attributes: readonly SchemaAttribute[], values: Values): Values {
  const entries = attributes.flatMap((attribute): [string, unknown][] => {
    const value = values[attribute.name];
    const isNeeded = attribute.required || (attribute.optional && !attribute.computed);
    if (isNothing(value) && !attribute.required) return [];
    if (!isNeeded && !wasSet(attribute, value)) return [];
    if (isSecret(attribute) || (typeof value === "string" && hasSecret(value)))
      return [[attribute.name, new Secret(value)]];
    return [[attribute.name, within(attribute, value)]];
  });
  return Object.fromEntries(entries);
}

const isSecret = ({ sensitive, writeOnly }: SchemaAttribute): boolean => sensitive || writeOnly;

/** Whether a user has set a value here or, in a group or a slot, further inside. */
function wasSet(attribute: SchemaAttribute, value: unknown): boolean {
  const { nested, optional, required, settable } = attribute;
  if (isNothing(value) || isSecret(attribute) || !(optional || required)) return false;
  if (nested === undefined || nested.nesting === "list" || nested.nesting === "set") return settable === true;
  const members = nested.nesting === "single" ? [value] : Object.values(value as object);
  return members.some((one) => nested.attributes.some((inner) => wasSet(inner, (one as Values)[inner.name])));
}

/**
 * A map that is written has all its slots: a slot that is missing would leave the state. A slot that must not be empty says
 * first what is in it.
 */
function within({ nested }: SchemaAttribute, value: unknown): unknown {
  if (nested === undefined || value === null || typeof value !== "object") return value;
  const shrink = (one: unknown): Values => smallest(nested.attributes, one as Values);
  if (Array.isArray(value)) return value.map(shrink);
  if (nested.nesting === "single") return shrink(value);
  const named = (one: unknown): Values => ({
    ...(nested.mayBeEmpty ? {} : firstOf(nested, one as Values)),
    ...shrink(one),
  });
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, named(one)]));
}

/** What says what is in a slot: the storage of a disk, the path of a device. */
function firstOf({ attributes }: SchemaNesting, values: Values): Values {
  const first = attributes.find(
    (one) => one.nested === undefined && one.optional && !isSecret(one) && !isNothing(values[one.name]),
  );
  return first === undefined ? {} : { [first.name]: values[first.name] };
}
