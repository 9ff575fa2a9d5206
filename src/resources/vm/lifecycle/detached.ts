import type { ConfigDraft } from "#kit";
import type { LeavingSlot } from "../../guest/changes.ts";
import { fileOf, isAllocated } from "../blocks/drive-slots.ts";
import type { VmState } from "../contexts.ts";
import type { VmPrivateState } from "../private-state.ts";
import { drivesIn } from "../slots.ts";

/** Somebody has taken a drive out of the VM by hand: which volume it was is known from the state alone. */
export function noteMissing(privateState: VmPrivateState, state: VmState, now: ConfigDraft): void {
  const missing = drivesIn(state).flatMap(({ slot, drive }) =>
    !now.has(slot) && drive?.volume ? [[slot, drive.volume] as const] : [],
  );
  remember(privateState, now, missing);
}

/** Slots that left the configuration, and whose volumes were kept. */
export function noteLeaving(
  privateState: VmPrivateState,
  leaving: readonly LeavingSlot[],
  before: ConfigDraft,
  now: ConfigDraft,
): void {
  const kept = leaving.flatMap(({ slot, isDeleted }) => {
    const file = before.has(slot) ? fileOf(before, slot) : "";
    return !isDeleted && file.includes(":") && isAllocated(file) ? [[slot, file] as const] : [];
  });
  remember(privateState, now, kept);
}

/** A slot that has a drive again is forgotten. */
function remember(
  privateState: VmPrivateState,
  now: ConfigDraft,
  volumes: readonly (readonly [slot: string, volume: string])[],
): void {
  const all = [...Object.entries(privateState.detached ?? {}), ...volumes].filter(([slot]) => !now.has(slot));
  if (all.length > 0) privateState.detached = Object.fromEntries(all);
  else delete privateState.detached;
}
