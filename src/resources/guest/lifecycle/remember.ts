import type { GuestChange } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { slotMaps } from "../observe.ts";

/** Slots in the configuration, of any map. */
export function configuredSlots(kind: GuestKind, config: object): string[] {
  const maps = slotMaps(kind.settings).map(([name]) => (config as Record<string, unknown>)[name]);
  return maps.flatMap((map) => Object.keys(map ?? {}));
}

/** Records what was configured, so that the next plan can distinguish it from changes by others. */
export function rememberConfigured({ kind, privateState, config, desired }: GuestChange): void {
  privateState.replacing = null;
  delete privateState.hasHaSuccessor;
  privateState.node = config.node ?? null;
  delete privateState.slots;
  delete privateState.isHaConfigured;
  delete privateState.isForgotten;
  delete privateState.isToStart;
  delete privateState.isDestroyBegun;
  const sizes = (tree: object) => new Map(kind.volumesIn(tree).map(({ slot, volume }) => [slot, volume?.size]));
  const [written, applied] = [sizes(config), sizes(desired)];
  const isOutdated = (slot: string) => written.get(slot) !== applied.get(slot);
  privateState.grown = Object.fromEntries(Object.entries(privateState.grown).filter(([slot]) => isOutdated(slot)));
}
