import type { Attributes, Type } from "#framework";
import { registry } from "../../registry.ts";
import type { Values } from "../local-provider.ts";

interface Known {
  readonly values: Values;
  /** Values of attributes with a fixed choice that later releases add: `type = "x"`. Their attributes are not written. */
  readonly unknown: readonly string[];
  /** Whether a configuration can do without them. */
  readonly isWritable: boolean;
}

/** What of an object this version of the provider can write: an attribute that is not written is left alone. */
export async function knownValues(type: string, values: Values): Promise<Known> {
  const { attributes } = await registry.resources[type as keyof typeof registry.resources]();
  return inObject(attributes as Attributes, values, "");
}

function inObject(attributes: Attributes, values: Values, prefix: string): Known {
  const kept: [string, unknown][] = [];
  const unknown: string[] = [];
  let isWritable = true;
  for (const [name, value] of Object.entries(values)) {
    const attribute = attributes[name];
    const inside = attribute && inValue(attribute.type, value, `${prefix}${name}`);
    if (inside === undefined || inside.isWritable) kept.push([name, inside === undefined ? value : inside.value]);
    else if (attribute?.mode === "required") isWritable = false;
    else kept.push([name, null]);
    unknown.push(...(inside?.unknown ?? []));
  }
  return { values: Object.fromEntries(kept), unknown, isWritable };
}

interface Inside {
  readonly value: unknown;
  readonly unknown: readonly string[];
  readonly isWritable: boolean;
}

function inValue(type: Type, value: unknown, path: string): Inside {
  const { shape } = type;
  if (value === null || value === undefined) return { value, unknown: [], isWritable: true };
  if (shape.kind === "nested") {
    const { values, ...found } = inObject(shape.attributes, value as Values, `${path}.`);
    return { value: values, ...found };
  }
  if (shape.kind === "map") {
    const entries = Object.entries(value).map(
      ([key, one]) => [key, inValue(shape.element, one, `${path}.${key}`)] as const,
    );
    const found = entries.map(([, one]) => one);
    const written = Object.fromEntries(entries.map(([key, one]) => [key, one.value]));
    return { value: written, unknown: unknownIn(found), isWritable: found.every((one) => one.isWritable) };
  }
  if (shape.kind === "list" || shape.kind === "set") {
    const found = (value as readonly unknown[]).map((one) => inValue(shape.element, one, path));
    return { value, unknown: unknownIn(found), isWritable: found.every((one) => one.isWritable) };
  }
  const isKnown = !isOutside(type, value);
  return { value, unknown: isKnown ? [] : [`\`${path} = ${JSON.stringify(value)}\``], isWritable: isKnown };
}

/** Whether a value is none of a fixed choice. */
const isOutside = ({ allowed, checks }: Type, value: unknown): boolean =>
  typeof value === "string" &&
  allowed?.words?.includes(value) === false &&
  checks.some((check) => check(value) !== undefined);

const unknownIn = (found: readonly Inside[]): string[] => found.flatMap(({ unknown }) => unknown);
