import type { ConfigDraft } from "#kit";
import type { GuestAddress } from "#pve";
import type { LeavingSlot } from "../changes.ts";
import type { GuestContext, GuestDesired } from "../context.ts";
import { revertPending, sendPatch } from "./configure.ts";
import { pendingOf } from "./known.ts";
import { readRunning, volumeOf } from "./pending.ts";
import { volumesToGrow, volumesToMove } from "./volumes.ts";

interface Context extends GuestContext {
  readonly desired: GuestDesired;
}

/**
 * A line that waits for a restart names the volume and the size that it had before it is moved or grown (qemu-server:
 * src/PVE/API2/Qemu.pm, `move_vm_disk`; pve-container: src/PVE/API2/LXC.pm, `resize_vm`). Such lines are reverted.
 * Returns their slots: all their settings have to be sent again.
 */
export async function takeBackWaiting(context: Context, guest: GuestAddress, draft: ConfigDraft): Promise<string[]> {
  const { kind, desired } = context;
  const touched = [...volumesToMove(kind, desired, draft), ...volumesToGrow(kind, desired, draft)].map(
    ({ slot }) => slot,
  );
  if (touched.length === 0) return [];
  const options = await pendingOf(context, guest);
  const waiting = options.flatMap(({ key, value, pending }) =>
    touched.includes(key) && pending !== undefined && volumeOf(value) === volumeOf(pending) ? [key] : [],
  );
  await revertPending(context, guest, waiting);
  return waiting;
}

/**
 * A slot that leaves while another volume waits for it: PVE would forget the one that waits, and nothing would remove it
 * (qemu-server: src/PVE/API2/Qemu.pm, `$update_vm_api`). Reverted first, it is kept as unused.
 */
export async function takeBackLeaving(
  context: Context,
  guest: GuestAddress,
  leaving: readonly LeavingSlot[],
): Promise<void> {
  if (leaving.length === 0) return;
  const { exchanged } = await readRunning(context, guest);
  await revertPending(
    context,
    guest,
    exchanged.filter((key) => leaving.some(({ slot }) => slot === key)),
  );
}

/**
 * A volume whose removal waits for a restart, and that its slot gets back, never left: the removal is reverted. Sent again, its
 * line would wait in place of the removal, without a size. Returns the slots.
 */
export async function takeBackRemovals(context: Context, guest: GuestAddress): Promise<string[]> {
  const { kind, desired } = context;
  const wanted = kind.volumesIn(desired).flatMap(({ slot, volume }) => (volume?.volume ? [[slot, volume.volume]] : []));
  if (wanted.length === 0) return [];
  const volumes = Object.fromEntries(wanted) as Readonly<Record<string, string>>;
  const options = await pendingOf(context, guest);
  const removed = options.flatMap(({ key, value, delete: isRemoved }) =>
    isRemoved !== undefined && volumes[key] !== undefined && volumeOf(value) === volumes[key] ? [key] : [],
  );
  await revertPending(context, guest, removed);
  return removed;
}

/**
 * In a guest that was stopped from within, pending changes are not in effect yet: PVE neither moves nor grows a volume that is
 * not attached, and lines that wait name the volume from before its move. Any change of a stopped guest applies all of them
 * (qemu-server: src/PVE/API2/Qemu.pm).
 */
export async function applyWaiting(context: Context, guest: GuestAddress, draft: ConfigDraft): Promise<void> {
  const { kind, desired } = context;
  const touched = [...volumesToMove(kind, desired, draft), ...volumesToGrow(kind, desired, draft)].map(
    ({ slot }) => slot,
  );
  if (touched.length === 0) return;
  const options = await pendingOf(context, guest);
  const waiting = options.flatMap(({ key, pending }) =>
    touched.includes(key) && pending !== undefined ? [[key, pending] as const] : [],
  );
  if (waiting.length > 0) await sendPatch(context, guest, { set: Object.fromEntries(waiting), delete: [] });
}
