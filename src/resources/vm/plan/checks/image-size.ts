import { bytesOf, type ConfigDraft, isPveError, type Session, sizeOf } from "#kit";
import { storageOf } from "../../../guest/volume.ts";
import type { VmPlan } from "../../contexts.ts";
import { imageTooLarge } from "../../lifecycle/image-size.ts";

/** A disk can grow beyond the image it is made from and cannot shrink: refuses an image that is larger than the disk. */
export async function checkImageSizes(
  { config, planned, report }: VmPlan,
  api: Session,
  before: ConfigDraft,
): Promise<void> {
  for (const [slot, disk] of Object.entries(config.disks ?? {})) {
    const { import_from: image, size } = disk ?? {};
    if (before.has(slot) || !image || !size || planned.node === undefined) continue;
    const found = await sizeOfImage(api, planned.node, image);
    if (found === null || found <= (bytesOf(size) ?? 0)) continue;
    const { summary, detail } = imageTooLarge({ slot, image, found: sizeOf(found), wanted: size });
    report.error(["disks", slot, "size"], summary, detail);
  }
}

/** Null where it is not known: a file of the host, a disk within an appliance, an image that is created by this plan. */
async function sizeOfImage(api: Session, node: string, image: string): Promise<number | null> {
  const storage = storageOf(image);
  if (storage === null || /\.(ova|ovf)\b/.test(image) || api.planned.has("file", image)) return null;
  try {
    return (await api.storage.getVolume(node, storage, image)).size;
  } catch (reason) {
    // Its absence, or that it may not be seen, is said elsewhere.
    if (isPveError(reason) && !isPveError(reason, "unreachable", "timeout")) return null;
    throw reason;
  }
}
