import { type Attributes, type ConfigDraft, keepSpelling, type Members, parseWired, type WiredAttribute } from "#kit";
import { emptySlots } from "./absent-devices.ts";

type Settings = Readonly<Record<string, WiredAttribute>>;

/** Attributes that are maps by slot. */
export const slotMaps = (settings: Settings): [name: string, attribute: WiredAttribute][] =>
  Object.entries(settings).filter(([, { slots }]) => slots);

/**
 * The settings in a configuration, as Terraform stores them. With an expectation, only expected slots are included: the
 * others are not managed here and stay out of the state, so that they never drift.
 */
export function observeSettings(settings: Settings, draft: ConfigDraft, expected: Members | null): Members {
  const all = settled(parseWired(settings, draft)) as Members;
  if (expected === null) return all;
  const shown = { ...all };
  for (const [name] of slotMaps(settings)) shown[name] = onlyExpected(all[name], expected[name]);
  shown["absent_devices"] = emptySlots(draft, expected);
  shown["description"] = spelledAs(shown["description"], expected["description"]);
  return keepSpelling(settings, shown, expected);
}

/** PVE removes blanks at the end of a text, and a text of blanks only (qemu-server: src/PVE/QemuServer.pm, `parse_vm_config`). */
function spelledAs(found: unknown, expected: unknown): unknown {
  if (typeof expected !== "string") return found;
  const bare = (text: unknown) => String(text ?? "").replace(/\s+$/gm, "");
  return bare(found) === bare(expected) ? expected : found;
}

function onlyExpected(found: unknown, expected: unknown): unknown {
  if (expected === undefined) return found;
  const slots = Object.keys(expected ?? {});
  const entries = Object.entries(found ?? {}).filter(([slot]) => slots.includes(slot));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** A value that PVE has not chosen by now stays unset. */
function settled(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)]));
}

/** A state as a read would return it: without the attributes that only Terraform knows. */
export function withoutLocal(attributes: Attributes, state: object): Members {
  return Object.fromEntries(
    Object.entries(state).flatMap(([name, value]) => {
      const attribute = attributes[name] as WiredAttribute | undefined;
      return !attribute || attribute.local || attribute.writeOnly ? [] : [[name, inside(attribute.type.shape, value)]];
    }),
  );
}

function inside(shape: WiredAttribute["type"]["shape"], value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  if (shape.kind === "nested") return withoutLocal(shape.attributes, value);
  if (shape.kind !== "map") return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inside(shape.element.shape, one)]));
}
