import { type ConfigDraft, Failure, type Logger, type Report, type Session } from "#kit";
import type { VmAddress } from "#pve";
import { isShared } from "../../storage/file-place.ts";
import { dataDrive, insertImage } from "../blocks/cloud-init-drive.ts";
import { dataImageOwner, fileOf, storageOf } from "../blocks/drive-slots.ts";
import { isoStorages } from "../cloud-init-iso/iso-storage.ts";
import { imageVolume, noCloudData } from "../cloud-init-iso/texts.ts";
import { uploadNoCloudIso } from "../cloud-init-iso/upload.ts";
import type { VmDesired } from "../contexts.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { configure } from "./configure.ts";
import { removeVolume } from "./remove-volume.ts";

interface Context {
  readonly api: Session;
  readonly log: Logger;
  readonly report: Report;
  readonly signal: AbortSignal;
}

interface Changing extends Context {
  readonly desired: VmDesired;
}

/**
 * Brings cloud-init's texts into the VM's drive and takes away the image that was there before. `draft` is the VM as it
 * is now; returned is what it has become.
 */
export async function arrangeData(context: Changing, vm: VmAddress, draft: ConfigDraft): Promise<ConfigDraft> {
  const { api, desired } = context;
  const data = desired.cloud_init ? noCloudData(desired.cloud_init, desired.name) : null;
  if (!data) return draft;
  const { slot, data_storage } = desired.cloud_init ?? {};
  const storage = data_storage ?? ownStorage(draft) ?? (await firstStorage(api, vm.node));
  const volume = imageVolume(storage, vm.vmid, data);
  const drive = dataDrive(draft);
  if (drive !== null && fileOf(draft, drive) === volume && (slot ?? drive) === drive) return draft;
  await uploadNoCloudIso(context, vm, storage, data);
  return changeDisc(context, vm, (edited) => insertImage(edited, slot, volume));
}

async function changeDisc(context: Changing, vm: VmAddress, edit: (draft: ConfigDraft) => void): Promise<ConfigDraft> {
  const { draft, before } = await configure(context, vm, null, edit);
  await restoreBootOrder(context, vm, draft, before, context.desired.boot_order);
  return draft;
}

const ownStorage = (draft: ConfigDraft) => storageOf(fileOf(draft, dataDrive(draft) ?? ""));

async function firstStorage(api: Session, node: string): Promise<string> {
  const [first] = await isoStorages(api, node);
  if (first !== undefined) return first;
  throw new Failure("No storage for ISO images", `None on ${node} can hold the cloud-init data.`, {
    path: "cloud_init.data_storage",
  });
}

/**
 * A VM cannot leave its node while an image that is only there is in its drive. It gets its own again on arrival;
 * whether an image is left behind is returned.
 */
export async function ejectLocalData(context: Changing, vm: VmAddress, draft: ConfigDraft): Promise<boolean> {
  const slot = dataDrive(draft);
  if (slot === null || typeof context.desired.cloud_init?.user_data !== "string") return false;
  if (await isShared(context.api, storageOf(fileOf(draft, slot)) ?? "")) return false;
  await changeDisc(context, vm, (edited) => edited.set(slot, "none,media=cdrom"));
  return true;
}

/** Removes the image that was in the drive `before`, unless it is still there, a snapshot may need it, or it is not ours. */
export async function removeOldData(
  context: Context,
  vm: VmAddress,
  before: ConfigDraft,
  after: ConfigDraft | null,
): Promise<void> {
  const slot = dataDrive(before);
  const volume = slot === null ? null : fileOf(before, slot);
  const isKept =
    after !== null &&
    (after.has("parent") || Object.values(after.config).some((line) => String(line).startsWith(`${volume},`)));
  if (volume === null || dataImageOwner(volume) !== vm.vmid || isKept) return;
  if (await removeVolume(context, vm.node, volume)) return;
  context.report.warning(
    null,
    `Image ${volume} is left behind`,
    `VM ${vm.vmid} does not use it any more, but it could not be removed: that takes Datastore.Allocate on its storage.`,
  );
}
