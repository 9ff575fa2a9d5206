import type { ContainerState } from "./contexts.ts";

/** What PVE chose and a configuration should not name: a volume named there could never move to another storage. */
export const madeUp = ({ state }: { readonly state: ContainerState }): string[][] =>
  Object.keys(state.mounts ?? {}).map((slot) => ["mounts", slot, "volume"]);
