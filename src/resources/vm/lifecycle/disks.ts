import { bytesOf, type ConfigDraft, Failure, type Logger, type Session, step } from "#kit";
import type { GuestAddress } from "#pve";
import { fileOf, formatOf, isAllocated, storageOf } from "../blocks/drive-slots.ts";
import type { VmDesired } from "../contexts.ts";
import { drivesIn } from "../slots.ts";

interface Wanted {
  readonly storage?: string | null | undefined;
  readonly format?: string | null | undefined;
  readonly size?: string | null | undefined;
}

/** Drives as they are wanted; what is undefined is left as it is. */
export interface WantedVolumes {
  readonly disks?: Readonly<Record<string, Wanted | undefined>> | null | undefined;
  readonly efi_disk?: Wanted | null | undefined;
  readonly tpm_state?: Wanted | null | undefined;
}

/** Slots that lie elsewhere, or in another format, than they shall. */
export function drivesToMove(desired: WantedVolumes, draft: ConfigDraft) {
  return drivesIn(desired).flatMap(({ slot, drive }) => {
    const { storage, format } = drive ?? {};
    const file = draft.has(slot) ? fileOf(draft, slot) : "";
    if (file === "" || !isAllocated(file)) return [];
    const isElsewhere = storage !== undefined && storage !== null && storage !== storageOf(file);
    const isOther = format !== undefined && format !== null && format !== formatOf(file);
    if (!isElsewhere && !isOther) return [];
    return [{ slot, storage: storage ?? storageOf(file) ?? "", ...(isOther && format ? { format } : {}) }];
  });
}

/** Slots that are smaller than they shall be, with the size to grow to. */
export function drivesToGrow(desired: WantedVolumes, draft: ConfigDraft) {
  return Object.entries(desired.disks ?? {}).flatMap(([slot, disk]) => {
    const size = disk?.size;
    const now = draft.read({ option: slot, key: "size" });
    const wanted = size ? bytesOf(size) : null;
    if (!size || wanted === null || typeof now !== "string") return [];
    return wanted > (bytesOf(now) ?? 0) ? [{ slot, size }] : [];
  });
}

interface Arranging {
  readonly api: Session;
  readonly log: Logger;
  readonly desired: VmDesired;
  readonly signal: AbortSignal;
}

/** Moves, then grows: a move copies what is there, and no more than that. */
export async function arrangeDrives(context: Arranging, vm: GuestAddress, draft: ConfigDraft): Promise<void> {
  const { api, log, desired, signal } = context;
  const { vmid } = vm;
  for (const { slot, storage, ...format } of drivesToMove(desired, draft)) {
    const submit = () => api.disks.moveDisk(vm, { disk: slot, storage, delete: true, ...format }, { signal });
    await step(log, "move", { vmid, detail: `${slot} to ${storage}` }, () =>
      api.operations.run(vm, { what: `move ${slot} of VM ${vmid} to ${storage}`, submit, signal }),
    );
  }
  for (const { slot, size } of drivesToGrow(desired, draft)) {
    const submit = () => api.disks.resize(vm, { disk: slot, size }, { signal });
    await step(log, "resize", { vmid, detail: `${slot} to ${size}` }, () =>
      api.operations.run(vm, { what: `grow ${slot} of VM ${vmid} to ${size}`, submit, signal }),
    );
  }
}

interface LargeImage {
  readonly slot: string;
  readonly image: string;
  readonly found: string;
  readonly wanted: string;
}

export const imageTooLarge = ({ slot, image, found, wanted }: LargeImage) => ({
  summary: "Image larger than the disk",
  detail: `\`${slot}\` is to be ${wanted}, and \`${image}\` holds a disk of ${found}, which cannot shrink. Set \`size\` to at least ${found}, or leave it out.`,
});

/** Where the plan could not tell the size of an image, the disk that was made from it does. */
export function refuseLargeImages(desired: VmDesired, before: ConfigDraft | null, now: ConfigDraft): void {
  for (const [slot, { import_from: image, size }] of Object.entries(desired.disks ?? {})) {
    const found = now.read({ option: slot, key: "size" });
    if (!image || !size || before?.has(slot) || typeof found !== "string") continue;
    if ((bytesOf(found) ?? 0) <= (bytesOf(size) ?? 0)) continue;
    const { summary, detail } = imageTooLarge({ slot, image, found, wanted: size });
    throw new Failure(summary, detail, { path: `disks.${slot}.size` });
  }
}
