import type { ConfigDraft } from "#kit";
import { storageOf } from "../../guest/volume.ts";
import { families } from "../slots.ts";
import { fileOf, isCdrom, isCloudInit, isDataDrive } from "./drive-slots.ts";

export interface WantedDrive {
  readonly slot?: string | null | undefined;
  readonly storage?: string | null | undefined;
  readonly user_data?: string | null | undefined;
  readonly user_data_wo?: string | null | undefined;
}

/** Slot of the drive PVE writes itself. */
export const ownDrive = (draft: ConfigDraft): string | null =>
  draft.slots(families.cdroms).find((slot) => isCloudInit(draft, slot)) ?? null;

/** Slot of the drive that holds an uploaded image. */
export const dataDrive = (draft: ConfigDraft): string | null =>
  draft.slots(families.cdroms).find((slot) => isDataDrive(draft, slot)) ?? null;

/** Without a drive, nothing of cloud-init's settings reaches the guest. Where text is given, its image is that drive. */
export function ensureDrive(draft: ConfigDraft, wanted: WantedDrive): void {
  const image = dataDrive(draft);
  // Neither is wanted: another disc took its place, or there was none before.
  if (wanted.slot === null && (wanted.storage ?? null) === null) {
    removeDrives(draft);
    return;
  }
  if (
    typeof (wanted.user_data ?? wanted.user_data_wo) === "string" ||
    (image !== null && wanted.user_data === undefined)
  )
    return;
  const current = image ?? ownDrive(draft);
  if (image === null && current !== null && (wanted.slot ?? current) === current && isOn(draft, current, wanted))
    return;
  const storage = wanted.storage ?? storageOf(fileOf(draft, ownDrive(draft) ?? "")) ?? firstStorage(draft);
  if (storage !== null) insert(draft, wanted.slot ?? current, `${storage}:cloudinit,media=cdrom`);
}

/** Puts the image into cloud-init's drive: another medium in a drive the guest knows already, wherever there is one. */
export function insertImage(draft: ConfigDraft, slot: string | null | undefined, volume: string): void {
  const current = dataDrive(draft) ?? ownDrive(draft);
  if ((slot ?? current) === current && current !== null && fileOf(draft, current) === volume) return;
  insert(draft, slot ?? current, `${volume},media=cdrom`);
}

export function removeDrives(draft: ConfigDraft): void {
  for (const drive of [ownDrive(draft), dataDrive(draft)]) if (drive !== null) draft.set(drive, null);
}

/** A guest must find one disc labelled `cidata`, not two. */
function insert(draft: ConfigDraft, wanted: string | null, line: string): void {
  removeDrives(draft);
  draft.set(wanted ?? ["ide2", "ide0", "ide1", "ide3"].find((free) => !draft.has(free)) ?? "ide2", line);
}

const isOn = (draft: ConfigDraft, slot: string, { storage }: WantedDrive) =>
  storage === undefined || storage === null || storageOf(fileOf(draft, slot)) === storage;

function firstStorage(draft: ConfigDraft): string | null {
  const disk = draft.slots(families.disks).find((slot) => !isCdrom(draft, slot));
  return disk === undefined ? null : storageOf(fileOf(draft, disk));
}
