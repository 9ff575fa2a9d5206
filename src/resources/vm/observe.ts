import { type ConfigDraft, keepSpelling, type Members, parseWired, type WiredAttribute } from "#kit";
import { settings } from "./attributes.ts";

/** Attributes that are maps keyed by slot. */
export const slotMaps = (Object.entries(settings) as [string, WiredAttribute][]).filter(([, { slots }]) => slots);

/**
 * What a configuration says, as far as Terraform shall know it. With an expectation, only slots that are expected are
 * shown: the others are somebody else's and stay out of the state, so that they can never drift.
 */
export function observeSettings(draft: ConfigDraft, expected: Members | null): Members {
  const all = settled(parseWired(settings, draft)) as Members;
  if (expected === null) return all;
  const shown = { ...all };
  for (const [name] of slotMaps) shown[name] = onlyExpected(all[name], expected[name]);
  if (all["cloud_init"] === null && hasText(expected["cloud_init"])) shown["cloud_init"] = emptyCloudInit;
  shown["description"] = spelledAs(shown["description"], expected["description"]);
  return keepSpelling(settings, shown, expected);
}

/** PVE drops blanks at the end of a text, and one that is nothing but blanks (qemu-server: src/PVE/QemuServer.pm, `parse_vm_config`). */
function spelledAs(found: unknown, expected: unknown): unknown {
  if (typeof expected !== "string") return found;
  const bare = (text: unknown) => String(text ?? "").replace(/\s+$/gm, "");
  return bare(found) === bare(expected) ? expected : found;
}

/** Text lives in Terraform only: that its drive is empty is no reason to forget it, and the image that may be left of it. */
const hasText = (expected: unknown): boolean =>
  typeof expected === "object" &&
  expected !== null &&
  (("user_data" in expected && typeof expected.user_data === "string") ||
    ("data_version" in expected && typeof expected.data_version === "number"));

const { shape } = settings.cloud_init.type;
const emptyCloudInit: Members = Object.fromEntries(
  Object.entries(shape.kind === "nested" ? shape.attributes : {}).flatMap(([name, attribute]) =>
    (attribute as WiredAttribute).local || attribute.writeOnly ? [] : [[name, null]],
  ),
);

function onlyExpected(found: unknown, expected: unknown): unknown {
  if (expected === undefined) return found;
  const slots = Object.keys(expected ?? {});
  const entries = Object.entries(found ?? {}).filter(([slot]) => slots.includes(slot));
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** What PVE has not chosen by now it will not. */
function settled(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, settled(member)]));
}
