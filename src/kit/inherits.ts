import { type Attributes, map, nested, nullable, type Type, type Views } from "#framework";
import { plainLine } from "./plain-line.ts";
import type { CustomWire, SlotMap, WiredAttribute } from "./wire/wired.ts";

/**
 * An attribute that is inherited while it is not written: from the template, from PVE, or from another client. It is never
 * sent unless it is configured, and goes back to what it was when the line leaves the configuration.
 */
export function inherits<V extends Views>(type: Type<V>, wire: string, doc: string, more: More = {}) {
  return {
    type: unsettable(storable(nullable(type), wire, more), more),
    mode: "optional_computed",
    keep: true,
    wire,
    doc,
    ...wordForNothing(type, more),
    ...more,
  } as const;
}

/** Text goes into a line of the configuration, unless it has a spelling of its own (`as`); a comma ends a sub-key. */
function storable<T extends Type>(type: T, wire: string, { as }: More): T {
  if (type.shape.kind !== "string" || as) return type;
  const isPart = wire.includes("/");
  const check = (value: unknown): string | undefined =>
    plainLine(String(value)) ?? (isPart && String(value).includes(",") ? "Must not contain a comma." : undefined);
  return { ...type, checks: [...type.checks, check] };
}

/** A number that must be at least 1 is unset by `0`, as texts are by `""` and lists by `[]`, unless every object has one. */
function wordForNothing(
  { shape, allowed }: Type,
  { none, undo, always }: More,
): Pick<WiredAttribute, "none" | "unset"> {
  const isFree = shape.kind === "number" && undo === undefined && !always && (allowed?.min ?? 0) >= 1;
  const word = none ?? (isFree ? 0 : undefined);
  return word === undefined ? {} : { none: word, unset: String(word) };
}

/** The type, with the word for "nothing" among its values. */
function unsettable<T extends Type>(type: T, more: More): T {
  if (more.undo !== undefined) return type;
  const { none } = wordForNothing(type, more);
  const isNothing = (value: unknown) => value === "" || (none !== undefined && value === none);
  return {
    ...type,
    checks: type.checks.map((check) => (value: unknown) => (isNothing(value) ? undefined : check(value))),
  };
}

interface More
  extends Pick<
    WiredAttribute,
    "as" | "none" | "sensitive" | "clears" | "assigned" | "undo" | "unset" | "separator" | "refers"
  > {
  /** Every object has a value, PVE's own if none is given: there is no word for "nothing". */
  readonly always?: true;
  /** Names of neighbours whose change may change this one. */
  readonly keep?: { readonly unless: readonly string[]; readonly own?: true };
}

/** The same for what is spread over several options, and so is read and written by hand. */
export function derived<V extends Views>(
  type: Type<V>,
  doc: string,
  custom: CustomWire,
  more: Pick<More, "keep" | "undo" | "refers"> & Pick<WiredAttribute, "replace"> = {},
) {
  return { type: nullable(type), mode: "optional_computed", keep: true, doc, custom, ...more } as const;
}

/** Several such attributes under one name. */
export function group<const A extends Attributes>(
  attributes: A,
  doc: string,
  more: { readonly custom?: CustomWire } = {},
) {
  return { type: nullable(nested(attributes)), mode: "optional_computed", keep: true, doc, ...more } as const;
}

/** Devices by slot. A slot that is not mentioned is left alone. */
export function slotted<const A extends Attributes>(slots: SlotMap, attributes: A, doc: string) {
  return {
    type: nullable(map(nested(attributes, { mayBeEmpty: !slots.needsSetting }))),
    mode: "optional_computed",
    keep: true,
    byKey: true,
    slots,
    doc,
  } as const;
}
