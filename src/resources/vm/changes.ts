import type { ConfigDraft, Members } from "#kit";
import type { VmState } from "./contexts.ts";
import { slotMaps } from "./observe.ts";

/** What differs, as a tree with `undefined` wherever nothing does: the part of the desired state to be sent. */
export function changedOnly(prior: Members, desired: Members): Members {
  return Object.fromEntries(Object.entries(desired).map(([name, value]) => [name, changed(prior[name], value)]));
}

function changed(before: unknown, after: unknown): unknown {
  if (isEqual(before, after)) return undefined;
  return isMembers(before) && isMembers(after) ? changedOnly(before, after) : after;
}

export interface LeavingSlot {
  readonly map: string;
  readonly slot: string;
  /** Whether the data of a disk goes with it. */
  readonly isDeleted: boolean;
}

/** Slots that were configured, are not any more, and so are to be taken out of the VM. */
export function leavingSlots(prior: VmState, planned: object, configured: readonly string[] | null): LeavingSlot[] {
  return slotMaps.flatMap(([map]) => {
    const before = (prior as Members)[map] as Members | null | undefined;
    const after = (planned as Members)[map] as Members | null | undefined;
    if (!before || !after) return [];
    const gone = Object.keys(before).filter((slot) => !(slot in after) && configured?.includes(slot));
    return gone.map((slot) => ({ map, slot, isDeleted: isDeleted(before[slot]) }));
  });
}

/** A card leaves with the address cloud-init gave it. */
export function removeSlot(draft: ConfigDraft, slot: string): void {
  draft.set(slot, null);
  if (slot.startsWith("net")) draft.set(slot.replace("net", "ipconfig"), null);
}

const isDeleted = (device: unknown): boolean => isMembers(device) && device["on_remove"] === "delete";

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, at) => isEqual(item, b[at]));
  if (!isMembers(a) || !isMembers(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isEqual(a[name], b[name]));
}
