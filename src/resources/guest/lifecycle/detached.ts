import type { ConfigDraft } from "#kit";
import type { LeavingSlot } from "../changes.ts";
import type { GuestState } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import type { GuestPrivateState } from "../private-state.ts";
import { isAllocated, isForeign } from "../volume.ts";

/** Volumes that another user has detached: only the state still names them. */
export function noteMissing(
  kind: GuestKind,
  privateState: GuestPrivateState,
  state: GuestState,
  now: ConfigDraft,
): void {
  const { vmid } = state;
  const missing = kind
    .volumesIn(state)
    .flatMap(({ slot, volume }) =>
      !now.has(slot) && volume?.volume && !isForeign(volume.volume, vmid) ? [[slot, volume.volume] as const] : [],
    );
  remember(privateState, now, missing);
}

interface Departure {
  readonly vmid: number;
  readonly leaving: readonly LeavingSlot[];
  readonly before: ConfigDraft;
  readonly now: ConfigDraft;
}

/** Slots that left the configuration, and whose volumes are kept. */
export function noteLeaving(
  kind: GuestKind,
  privateState: GuestPrivateState,
  { vmid, leaving, before, now }: Departure,
): void {
  const kept = leaving.flatMap(({ slot, isDeleted }) => {
    const volume = before.has(slot) ? kind.volumeAt(before, slot) : "";
    return !isDeleted && volume.includes(":") && isAllocated(volume) && !isForeign(volume, vmid)
      ? [[slot, volume] as const]
      : [];
  });
  remember(privateState, now, kept);
}

/** Only slots that are still empty are recorded. A volume that outlives the guest may be attached elsewhere by then. */
function remember(
  privateState: GuestPrivateState,
  now: ConfigDraft,
  volumes: readonly (readonly [slot: string, volume: string])[],
): void {
  const all = [...Object.entries(privateState.detached ?? {}), ...volumes].filter(([slot]) => !now.has(slot));
  if (all.length > 0) privateState.detached = Object.fromEntries(all);
  else delete privateState.detached;
}
