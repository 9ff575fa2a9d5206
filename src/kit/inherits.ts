import { type Attributes, map, nested, nullable, type Type, type Views } from "#framework";
import type { CustomWire, SlotMap, WiredAttribute } from "./wire/wired.ts";

/**
 * An attribute that is inherited while it is not written: from the template, from PVE, from whoever set it. It is never
 * sent unless somebody writes it, and stays what it is when the line is removed from the configuration.
 */
export function inherits<V extends Views>(type: Type<V>, wire: string, doc: string, more: More = {}) {
  return { type: nullable(type), mode: "optional_computed", keep: true, wire, doc, ...more } as const;
}

interface More extends Pick<WiredAttribute, "as" | "none" | "sensitive" | "clears" | "assigned"> {
  /** Names of neighbours whose change may change this one. */
  readonly keep?: { readonly unless: readonly string[] };
}

/** The same for what is spread over several options, and so is read and written by hand. */
export function derived<V extends Views>(type: Type<V>, doc: string, custom: CustomWire) {
  return { type: nullable(type), mode: "optional_computed", keep: true, doc, custom } as const;
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
    slots,
    doc,
  } as const;
}
