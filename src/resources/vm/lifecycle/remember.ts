import type { VmChange } from "../contexts.ts";
import { slotMaps } from "../observe.ts";

/** Slots the configuration names, whatever map they are in. */
export function configuredSlots(config: object): string[] {
  const maps = slotMaps.map(([name]) => (config as Record<string, unknown>)[name]);
  return maps.flatMap((map) => Object.keys(map ?? {}));
}

/** Notes what was asked for, so that the next change can be told from what others did. */
export function rememberConfigured({
  privateState,
  config,
  desired,
}: Pick<VmChange, "privateState" | "config" | "desired">): void {
  privateState.replacing = null;
  privateState.node = config.node ?? null;
  delete privateState.slots;
  delete privateState.isHaConfigured;
  const isOutdated = (slot: string) => config.disks?.[slot]?.size !== desired.disks?.[slot]?.size;
  privateState.grown = Object.fromEntries(Object.entries(privateState.grown).filter(([slot]) => isOutdated(slot)));
}
