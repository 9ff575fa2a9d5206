import { bytesOf, type ConfigDraft, Failure } from "#kit";
import type { VmDesired } from "../contexts.ts";

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

/** If the plan could not read the size of an image, the disk that was created from it shows it. */
export function refuseLargeImages(desired: VmDesired, before: ConfigDraft | null, now: ConfigDraft): void {
  for (const [slot, { import_from: image, size }] of Object.entries(desired.disks ?? {})) {
    const found = now.read({ option: slot, key: "size" });
    if (!image || !size || before?.has(slot) || typeof found !== "string") continue;
    if ((bytesOf(found) ?? 0) <= (bytesOf(size) ?? 0)) continue;
    const { summary, detail } = imageTooLarge({ slot, image, found, wanted: size });
    throw new Failure(summary, detail, { path: `disks.${slot}.size` });
  }
}
