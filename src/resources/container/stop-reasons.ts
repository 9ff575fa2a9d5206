import type { LiveChange, StoppingChange, StopReason } from "../guest/kind.ts";
import { volumesToMove } from "../guest/lifecycle/volumes.ts";
import { isAllocated } from "../guest/volume.ts";
import { families, isHostPath, isMountSlot, volumeAt } from "./slots.ts";

/** Changes that PVE refuses while a container runs (pve-container: src/PVE/API2/LXC.pm, `move_volume`). */
export function stopReasons({ kind, running, before, after, leaving, wanted }: StoppingChange): StopReason[] {
  const moved = volumesToMove(kind, wanted, before).map(({ slot }) => ({
    path: ["mounts", slot, "storage"],
    why: `the volume in \`${slot}\` cannot be moved to another storage`,
  }));
  const deleted = leaving
    .filter(({ slot, isDeleted }) => isDeleted && isMountSlot(slot) && running.has(slot))
    .filter(({ slot }) => !isHostPath(volumeAt(running, slot)))
    .map(({ slot }) => ({ path: ["mounts"], why: `the volume in \`${slot}\` cannot be deleted` }));
  // PVE would allocate a new volume, or look up the size of another one, at the next start: nothing is known about it until then.
  const replaced = after
    .slots(families.volumes)
    .filter((slot) => running.has(slot) && !isHostPath(volumeAt(after, slot)))
    .filter((slot) => !isAllocated(volumeAt(after, slot)) || isExchanged(slot, { running, after }))
    .map((slot) => ({
      path: ["mounts", slot],
      why: `\`${slot}\` has \`${volumeAt(running, slot)}\` until it is restarted, and gets ${isAllocated(volumeAt(after, slot)) ? "another" : "a new"} volume`,
    }));
  return [...moved, ...deleted, ...replaced];
}

/** Whether this change gives the slot another volume; one that another user has left waiting stays as it is. */
const isExchanged = (slot: string, { running, after }: LiveChange): boolean =>
  slot in after.patch.set && volumeAt(after, slot) !== volumeAt(running, slot);
