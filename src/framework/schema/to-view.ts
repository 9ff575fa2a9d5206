import { Decimal } from "../values/decimal.ts";
import type { Json } from "../values/json.ts";
import type { Numeric } from "../values/number.ts";
import {
  Dynamic,
  elementsOf,
  isList,
  isMap,
  isNull,
  isUnknown,
  memberOf,
  membersOf,
  type Value,
} from "../values/value.ts";
import type { Attribute, Attributes } from "./attribute.ts";
import { isSlotMap, type Type } from "./type.ts";
import type { Config, Desired, Planned, State } from "./views.ts";

export type Side = keyof ObjectViews;

/** Turns a value into one of the views for hooks (`Config`, `Planned`, `Desired` or `State` in `views.ts`). */
export function toView(type: Type, value: Value, side: Side): unknown {
  const { shape } = type;
  if (isUnknown(value)) return undefined;
  if (isNull(value)) return null;
  switch (shape.kind) {
    case "string":
    case "bool":
      return value;
    case "number":
      return shape.as === "decimal" ? value : toDouble(value as Numeric);
    case "list":
    case "set":
      return elementsOf(value).map((element) => toView(shape.element, element, side));
    case "tuple":
      return shape.elements.map((type, index) => toView(type, elementsOf(value)[index] ?? null, side));
    case "map":
      return record(
        [...membersOf(value)]
          .filter(([, member]) => !isNull(member) || !isSlotMap(type))
          .map(([key, member]) => [key, toView(shape.element, member, side)]),
      );
    case "object":
      return record(
        Object.entries(shape.members).map(([name, type]) => [name, toView(type, memberOf(value, name), side)]),
      );
    case "nested":
      return toObjectView(shape.attributes, value, side);
    case "dynamic":
      return toJson(value);
  }
}

interface ObjectViews {
  config: Config<Attributes>;
  planned: Planned<Attributes>;
  desired: Desired<Attributes>;
  state: State<Attributes>;
}

/** As `toView`, for the attributes of a resource, which are never absent. */
export function toObjectView<S extends Side>(attributes: Attributes, value: Value, side: S): ObjectViews[S] {
  return record(
    visibleOn(side, attributes).map(([name, attribute]) => {
      const member = memberOf(value, name);
      if (side !== "config" && isNull(member) && !mayBeNull(attribute)) return [name, undefined];
      return [name, toView(attribute.type, member, side)];
    }),
  );
}

type Visible = readonly (readonly [name: string, attribute: Attribute])[];

const visible = new WeakMap<Attributes, Map<Side, Visible>>();

/** Computed once: every call makes several views of the same attributes. */
function visibleOn(side: Side, attributes: Attributes): Visible {
  const sides = visible.get(attributes) ?? new Map<Side, Visible>();
  const found = sides.get(side) ?? Object.entries(attributes).filter(([, attribute]) => isVisible(attribute, side));
  visible.set(attributes, sides.set(side, found));
  return found;
}

/** Whether null is a value, not a missing value. */
export const mayBeNull = ({ mode, type }: Attribute): boolean => mode === "optional" || type.nullable;

const isVisible = ({ mode, writeOnly }: Attribute, side: Side): boolean =>
  side === "config" || side === "desired" ? mode !== "computed" : writeOnly === undefined;

/** Validation of `int` and `number` has refused every number that a double cannot hold. */
const toDouble = (value: Numeric): number => (value instanceof Decimal ? value.toNumber() : Number(value));

/** A value of any type without its type; parts that are not known yet are undefined. */
export function toJson(value: Value): Json | undefined {
  if (isUnknown(value)) return undefined;
  if (isNull(value)) return null;
  if (value instanceof Dynamic) return toJson(value.value);
  if (isMap(value)) return record([...value].map(([key, member]) => [key, toJson(member)])) as Json;
  return (isList(value) ? value.map(toJson) : value) as Json;
}

/** Without a prototype, so that looking up a key finds only given keys. */
function record(entries: [string, unknown][]): Record<string, unknown> {
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, member] of entries) result[key] = member;
  return result;
}
