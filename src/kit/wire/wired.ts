import type { Attribute, Attributes, Type } from "#framework";
import type { ConfigDraft } from "./config-draft.ts";
import { placeOf } from "./place.ts";
import type { Reference } from "./reference.ts";
import type { Families } from "./slot.ts";

/** How a value is spelled on the wire, where it is not simply itself. Without `print` it is only ever read. */
export interface Conversion {
  /** Null: there is no such value; undefined: PVE will choose it. `sibling` reads other sub-keys of the same option. */
  parse(raw: unknown, sibling: (key: string) => unknown): unknown;
  print?(value: unknown): unknown;
}

/** An attribute that says where in the configuration it lives. */
export interface WiredAttribute extends Attribute {
  readonly wire?: string;
  readonly as?: Conversion;
  /** For maps keyed by slot. */
  readonly slots?: SlotMap;
  /** What a person writes to say "none", where PVE has no value for that. */
  readonly none?: number | boolean;
  /** Places that are emptied when this one is set: two ways to say one thing. */
  readonly clears?: readonly string[];
  /** What it means that PVE leaves the option out; a new object is planned with it. */
  readonly absent?: unknown;
  /** PVE's option is an array: it is sent once for each item. */
  readonly repeated?: true;
  /** What PVE separates the items of a list by, if not a comma: lists of interfaces are split at blanks only. */
  readonly separator?: ";" | " ";
  /** The sub-key whose name PVE leaves out. */
  readonly isDefaultKey?: true;
  /** What the value names: it has to exist, or to be created by the same plan. */
  readonly refers?: Reference;
  /** PVE makes the value up when it makes the object or the device. */
  readonly assigned?: true;
  /** For what no `wire` can say. `patch` comes after the members'. */
  readonly custom?: CustomWire;
}

export interface CustomWire {
  parse?(draft: ConfigDraft): unknown;
  patch?(draft: ConfigDraft, desired: unknown): void;
}

export interface SlotMap {
  /** To name a slot and set nothing there is most often a slip. Elsewhere it asks for a device as PVE makes it. */
  readonly needsSetting?: true;
  readonly families: Families;
  /** Whether the device in this slot belongs here: a CD drive is no disk, though both are `ide2`. */
  holds?(draft: ConfigDraft, slot: string): boolean;
  /** Puts a new device into an empty slot; the settings that have a `wire` are written after that. */
  begin?(draft: ConfigDraft, slot: string, desired: Members): void;
  /** Sets right what the settings, each written alone, do not fit together with. */
  finish?(draft: ConfigDraft, slot: string): void;
}

export type Members = Readonly<Record<string, unknown>>;

/**
 * What the configuration says about these attributes. An object none of whose members is set is not there; a value PVE
 * has yet to choose is undefined.
 */
export function parseWired(attributes: Attributes, draft: ConfigDraft, slot: string | null = null): Members {
  const members: Record<string, unknown> = {};
  for (const [name, attribute] of wiredEntries(attributes)) {
    if (attribute.writeOnly !== undefined || attribute.local) continue;
    members[name] = parseAttribute(attribute, draft, slot);
  }
  return members;
}

function parseAttribute(attribute: WiredAttribute, draft: ConfigDraft, slot: string | null): unknown {
  if (attribute.custom?.parse) return attribute.custom.parse(draft);
  if (attribute.slots) return parseSlots(attribute.type, attribute.slots, draft);
  const inner = membersOf(attribute.type);
  if (inner) {
    const members = parseWired(inner, draft, slot);
    return Object.values(members).every((member) => member === null) ? null : members;
  }
  if (attribute.wire === undefined) return undefined;
  return parseValue(attribute, draft, slot);
}

function parseSlots(type: Type, map: SlotMap, draft: ConfigDraft): unknown {
  const element = elementOf(type);
  const inner = element && membersOf(element);
  const slots = slotsIn(map, draft);
  const entries = slots.map((slot) => [slot, inner ? parseWired(inner, draft, slot) : String(draft.raw(slot))]);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

export function slotsIn({ families, holds }: SlotMap, draft: ConfigDraft): string[] {
  return draft.slots(families).filter((slot) => holds?.(draft, slot) ?? true);
}

function parseValue(attribute: WiredAttribute, draft: ConfigDraft, slot: string | null): unknown {
  const { type, wire = "", as, absent = null } = attribute;
  const place = placeOf(wire, slot);
  const raw = draft.read(place);
  if (raw === null) return absent;
  return as ? as.parse(raw, (key) => draft.read({ ...place, key })) : decode(type, raw);
}

/**
 * Writes what is desired into the draft. `undefined` leaves a value as it is, null takes it out. Slots that are not
 * mentioned are left alone.
 */
export function patchWired(
  attributes: Attributes,
  desired: Members,
  draft: ConfigDraft,
  slot: string | null = null,
): void {
  for (const [name, attribute] of wiredEntries(attributes)) {
    const value = desired[name];
    if (value === undefined || attribute.local) continue;
    patchAttribute(attribute, value, draft, slot);
  }
}

function patchAttribute(attribute: WiredAttribute, value: unknown, draft: ConfigDraft, slot: string | null): void {
  const { type, wire, slots, custom } = attribute;
  const inner = membersOf(type);
  if (slots) {
    if (value !== null) patchSlots(type, slots, value as Members, draft);
  } else if (inner) {
    patchWired(inner, (value as Members | null) ?? nothing(inner), draft, slot);
  } else if (wire !== undefined) {
    patchValue(attribute, value, draft, slot);
  }
  custom?.patch?.(draft, value);
}

function patchValue(attribute: WiredAttribute, value: unknown, draft: ConfigDraft, slot: string | null): void {
  const { wire = "", as, none, clears = [] } = attribute;
  if (as && !as.print) return;
  const isNone = value === null || value === "" || value === none;
  draft.write(placeOf(wire, slot), isNone || !as?.print ? (isNone ? null : value) : as.print(value));
  if (!isNone) for (const other of clears) draft.write(placeOf(other, slot), null);
}

function patchSlots(type: Type, map: SlotMap, desired: Members, draft: ConfigDraft): void {
  const element = elementOf(type);
  const inner = element && membersOf(element);
  for (const [slot, device] of Object.entries(desired)) {
    if (device === null || device === undefined) continue;
    if (!inner) {
      draft.set(slot, String(device));
      continue;
    }
    if (!draft.has(slot)) map.begin?.(draft, slot, device as Members);
    patchWired(inner, device as Members, draft, slot);
    map.finish?.(draft, slot);
  }
}

/** Keeps a person's way of saying "none" (`""`, `vlan = 0`), which no server can tell from nothing at all. */
export function keepSpelling(attributes: Attributes, observed: Members, expected: Members): Members {
  return Object.fromEntries(
    Object.entries(observed).map(([name, value]) => {
      const attribute = attributes[name] as WiredAttribute | undefined;
      return [name, attribute ? keepValue(attribute, value, expected[name]) : value];
    }),
  );
}

function keepValue({ type, none }: WiredAttribute, value: unknown, expected: unknown): unknown {
  const inner = membersOf(type);
  if (value === null && inner && isMembers(expected)) return onlyWords(inner, expected);
  if (value === null) return isWord(expected, none) || isLikeNothing(type, expected) ? expected : value;
  if (inner && isMembers(value) && isMembers(expected)) return keepSpelling(inner, value, expected);
  const element = elementOf(type);
  const members = element && membersOf(element);
  if (!members || !isMembers(value) || !isMembers(expected)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([slot, device]) => {
      const before = expected[slot];
      return [slot, isMembers(device) && isMembers(before) ? keepSpelling(members, device, before) : device];
    }),
  );
}

/** Text that PVE cannot tell from none, such as blanks at the end of a description. */
const isLikeNothing = ({ same }: Type, value: unknown): boolean =>
  typeof value === "string" && same?.(value, "") === true;

const isWord = (value: unknown, none: number | boolean | undefined): boolean =>
  value === "" || (none !== undefined && value === none) || (Array.isArray(value) && value.length === 0);

/** An object that says nothing but "none", in whatever words; null if it says more. */
function onlyWords(attributes: Attributes, expected: Members): Members | null {
  const shown = wiredEntries(attributes).filter(([, { local, writeOnly }]) => !local && writeOnly === undefined);
  const members = shown.map(([name, attribute]) => [name, keepValue(attribute, null, expected[name])] as const);
  const isAll = members.every(([name, member]) => member === expected[name] || isMembers(member));
  const isAny = members.some(([, member]) => member !== null);
  return isAll && isAny ? Object.fromEntries(members) : null;
}

/** Every `wire` by the path of its attribute; slots stay as `*`. */
export function wiresOf(attributes: Attributes, prefix: readonly string[] = []): { path: string[]; wire: string }[] {
  return wiredEntries(attributes).flatMap(([name, { type, wire, slots }]) => {
    const path = [...prefix, name];
    const element = slots ? elementOf(type) : undefined;
    const inner = (element && membersOf(element)) ?? membersOf(type);
    if (inner) return wiresOf(inner, element ? [...path, "*"] : path);
    return wire === undefined ? [] : [{ path, wire }];
  });
}

/** Every attribute with a `wire`, however deep it is nested. */
export function wiredIn(attributes: Attributes): WiredAttribute[] {
  return wiredEntries(attributes).flatMap(([, attribute]) => {
    const inner = membersOf(attribute.type);
    return inner ? wiredIn(inner) : attribute.wire === undefined ? [] : [attribute];
  });
}

function decode({ shape }: Type, raw: unknown): unknown {
  switch (shape.kind) {
    case "bool":
      return raw === true || raw === 1 || raw === "1";
    case "number":
      return Number(raw);
    case "list":
    case "set":
      return (Array.isArray(raw) ? raw : [raw]).map((item) => decode(shape.element, item));
    default:
      return String(raw);
  }
}

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const wiredEntries = (attributes: Attributes) => Object.entries(attributes) as [string, WiredAttribute][];

const membersOf = ({ shape }: Type): Attributes | undefined => (shape.kind === "nested" ? shape.attributes : undefined);

const elementOf = ({ shape }: Type): Type | undefined =>
  shape.kind === "map" || shape.kind === "list" || shape.kind === "set" ? shape.element : undefined;

/** Every member taken out. */
const nothing = (attributes: Attributes): Members =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, null]));
