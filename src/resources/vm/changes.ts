import type { ConfigDraft, Members } from "#kit";
import type { VmPlan, VmState } from "./contexts.ts";
import { namedVolumes } from "./slots.ts";

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

/** A slot that leaves its map and stays in the VM, as it was before it was configured. */
export interface ReleasedSlot {
  readonly map: string;
  readonly slot: string;
  readonly before: unknown;
}

export interface Leaving {
  /** Slots that were added by the configuration, and so are taken out of the VM. */
  readonly removed: readonly LeavingSlot[];
  /** Slots that came with the VM. */
  readonly released: readonly ReleasedSlot[];
  /** Slots of which nothing is known: they are left alone. */
  readonly kept: readonly string[];
}

export const hasVolume = (map: string): boolean => map === "disks" || namedVolumes.some(([name]) => name === map);

/** Slots that were configured and are not any more. */
export function leavingSlots(
  { leaving, privateState }: Pick<VmPlan, "leaving" | "privateState">,
  prior: VmState,
  planned: Pick<VmPlan["planned"], "efi_disk" | "tpm_state">,
): Leaving {
  const drives = namedVolumes.filter(([map]) => prior[map] && planned[map] === null);
  const slots = leaving.map(({ path: [map, slot = ""], before, isRemembered }) => {
    const isAdded = isRemembered ? before === null : privateState.slots?.includes(slot);
    const device = ((prior as Members)[map] as Members | null | undefined)?.[slot];
    return { map, slot, before, isDeleted: isDeleted(device), isAdded, isReleased: isRemembered && !isAdded };
  });
  return {
    removed: [
      ...slots.filter(({ isAdded }) => isAdded),
      ...drives.map(([map, slot]) => ({ map, slot, isDeleted: false })),
    ],
    released: slots.filter(({ isReleased }) => isReleased),
    kept: slots.filter(({ isAdded, isReleased }) => !isAdded && !isReleased).map(({ slot }) => slot),
  };
}

/** What is wanted of the VM, the slots included that go back to what they were. */
export function withReleased<T extends object>(wanted: T, released: readonly ReleasedSlot[]): T {
  const result = { ...wanted } as Record<string, unknown>;
  for (const { map, slot, before } of released) result[map] = { ...(result[map] as object | null), [slot]: before };
  return result as T;
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
