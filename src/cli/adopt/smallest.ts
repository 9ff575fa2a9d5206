import type { SchemaAttribute } from "#framework";

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
 * What has to be written for a plan to be empty: what is required, and what would be unset if it were left out. What
 * stays as it is without being written is left out.
 */
export function smallest(attributes: readonly SchemaAttribute[], values: Values): Values {
  const entries = attributes.flatMap((attribute): [string, unknown][] => {
    const value = values[attribute.name];
    const isWritten = attribute.required || (attribute.optional && !attribute.computed);
    if (!isWritten || (isNothing(value) && !attribute.required)) return [];
    if (attribute.sensitive || attribute.writeOnly) return [[attribute.name, new Secret(value)]];
    return [[attribute.name, within(attribute, value)]];
  });
  return Object.fromEntries(entries);
}

function within({ nested }: SchemaAttribute, value: unknown): unknown {
  if (nested === undefined || value === null || typeof value !== "object") return value;
  const shrink = (one: unknown): unknown => smallest(nested.attributes, one as Values);
  if (Array.isArray(value)) return value.map(shrink);
  if (nested.nesting === "single") return shrink(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shrink(one)]));
}
