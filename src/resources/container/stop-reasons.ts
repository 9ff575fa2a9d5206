import type { StoppingChange, StopReason } from "../guest/kind.ts";
import { volumesToMove } from "../guest/lifecycle/volumes.ts";
import { isHostPath, isMountSlot, volumeAt } from "./slots.ts";

/** Changes that PVE refuses while a container runs (pve-container: src/PVE/API2/LXC.pm, `move_volume`). */
export function stopReasons({ kind, running, before, leaving, wanted }: StoppingChange): StopReason[] {
  const moved = volumesToMove(kind, wanted, before).map(({ slot }) => ({
    path: ["mounts", slot, "storage"],
    why: `the volume in \`${slot}\` cannot be moved to another storage`,
  }));
  const deleted = leaving
    .filter(({ slot, isDeleted }) => isDeleted && isMountSlot(slot) && running.has(slot))
    .filter(({ slot }) => !isHostPath(volumeAt(running, slot)))
    .map(({ slot }) => ({ path: ["mounts"], why: `the volume in \`${slot}\` cannot be deleted` }));
  return [...moved, ...deleted];
}
