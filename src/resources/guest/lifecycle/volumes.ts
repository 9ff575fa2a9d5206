import { bytesOf, type ConfigDraft, Failure, repeatableTask, step } from "#kit";
import type { GuestAddress } from "#pve";
import type { GuestContext } from "../context.ts";
import type { GuestKind } from "../kind.ts";
import { formatOf, isAllocated, isForeign, storageOf } from "../volume.ts";

/** Volumes that are on another storage, or have another format, than desired; `undefined` leaves them as they are. */
export function volumesToMove(kind: GuestKind, desired: object, draft: ConfigDraft) {
  return kind.volumesIn(desired).flatMap(({ slot, volume }) => {
    const { storage, format } = volume ?? {};
    const now = draft.has(slot) ? kind.volumeAt(draft, slot) : "";
    if (now === "" || !isAllocated(now) || isReplaced(volume?.volume, now)) return [];
    const isElsewhere = storage !== undefined && storage !== null && storage !== storageOf(now);
    const isOther = format !== undefined && format !== null && format !== formatOf(now);
    if (!isElsewhere && !isOther) return [];
    return [{ slot, storage: storage ?? storageOf(now) ?? "", ...(isOther && format ? { format } : {}) }];
  });
}

/** Volumes that are smaller than desired, with the desired size. */
export function volumesToGrow(kind: GuestKind, desired: object, draft: ConfigDraft) {
  return kind.volumesIn(desired).flatMap(({ slot, volume }) => {
    const size = volume?.size;
    const now = draft.read({ option: slot, key: "size" });
    if (draft.has(slot) && isReplaced(volume?.volume, kind.volumeAt(draft, slot))) return [];
    const wanted = size ? bytesOf(size) : null;
    if (!size || wanted === null || typeof now !== "string") return [];
    return wanted > (bytesOf(now) ?? 0) ? [{ slot, size }] : [];
  });
}

/** Another volume takes the slot: nothing is done to the one that leaves it. */
const isReplaced = (wanted: string | null | undefined, now: string): boolean =>
  typeof wanted === "string" && wanted !== now && isAllocated(wanted);

/** Whether the slot is empty, or has another volume than the one that it gets. */
export const isToAttach = (
  kind: GuestKind,
  draft: ConfigDraft,
  { slot, volume }: { readonly slot: string; readonly volume: string | null | undefined },
): boolean => !draft.has(slot) || isReplaced(volume, kind.volumeAt(draft, slot));

interface Arranging extends GuestContext {
  readonly desired: object;
}

/** Moves, then grows: a move copies the present size. */
export async function arrangeVolumes(context: Arranging, guest: GuestAddress, draft: ConfigDraft): Promise<void> {
  const { kind, api, log, desired, signal } = context;
  const calls = kind.calls(api);
  const { vmid } = guest;
  const of = `of ${kind.noun} ${vmid}`;
  const now = async () => kind.draft(api, (await calls.getConfig(guest, {}, { signal })).options);
  for (const { slot, storage, ...format } of volumesToMove(kind, desired, draft)) {
    if (isForeign(kind.volumeAt(draft, slot), vmid))
      throw notOwn(slot, kind.volumeAt(draft, slot), `${kind.noun} ${vmid}`);
    const submit = () => calls.moveVolume(guest, { slot, storage, ...format }, { signal });
    const isDone = async () => !volumesToMove(kind, desired, await now()).some((one) => one.slot === slot);
    await step(log, "move", { vmid, detail: `${slot} to ${storage}` }, () =>
      repeatableTask(api, guest, { what: `move ${slot} ${of} to ${storage}`, submit, isDone, signal }),
    );
  }
  for (const { slot, size } of volumesToGrow(kind, desired, draft)) {
    const submit = () => calls.resize(guest, { disk: slot, size }, { signal });
    const isDone = async () => !volumesToGrow(kind, desired, await now()).some((one) => one.slot === slot);
    await step(log, "resize", { vmid, detail: `${slot} to ${size}` }, () =>
      repeatableTask(api, guest, { what: `grow ${slot} ${of} to ${size}`, submit, isDone, signal }),
    );
  }
}

/** A move would delete the volume and give the copy to the guest (qemu-server: src/PVE/API2/Qemu.pm, `move_vm_disk`). */
const notOwn = (slot: string, volume: string, guest: string): Failure =>
  new Failure(
    "Disk cannot be moved",
    `\`${slot}\` holds \`${volume}\`, which does not belong to ${guest}. Nothing was moved.`,
  );
