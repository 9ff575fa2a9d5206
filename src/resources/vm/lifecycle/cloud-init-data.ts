import {
  activeStorages,
  type ConfigDraft,
  Failure,
  isPveError,
  isSharedStorage,
  type Report,
  type Session,
} from "#kit";
import type { GuestAddress } from "#pve";
import { addressOf } from "../../guest/address.ts";
import type { GuestContext } from "../../guest/context.ts";
import { configure } from "../../guest/lifecycle/configure.ts";
import type { FoundGuest } from "../../guest/lifecycle/find.ts";
import { removeVolume } from "../../guest/lifecycle/remove-volume.ts";
import { storageOf } from "../../guest/volume.ts";
import { dataDrive, insertImage, ownDrive } from "../blocks/cloud-init-drive.ts";
import { dataImageOwner, fileOf } from "../blocks/drive-slots.ts";
import { isoStorages } from "../cloud-init-iso/iso-storage.ts";
import { hasHidden, imageVolume, noCloudData, textsOf } from "../cloud-init-iso/texts.ts";
import { uploadNoCloudIso } from "../cloud-init-iso/upload.ts";
import type { VmChange, VmDelete, VmDesired } from "../contexts.ts";
import type { VmPrivateState } from "../private-state.ts";
import { restoreBootOrder } from "./boot-order.ts";

interface Context extends GuestContext {
  readonly report: Report;
}

interface Changing extends Context {
  readonly desired: VmDesired;
  readonly config: VmChange["config"];
  readonly privateState: VmPrivateState;
}

/** What is known of the VM whose drive is filled. */
interface Circumstances {
  readonly isRunning: boolean;
  /** It was created just now: no interrupted run can have left anything. */
  readonly isFresh: boolean;
}

/** Brings cloud-init's texts into the VM's drive. `draft` is the VM as it is now; returned is what it has become. */
export async function arrangeData(
  context: Changing,
  vm: GuestAddress,
  draft: ConfigDraft,
  { isRunning, isFresh }: Circumstances,
): Promise<ConfigDraft> {
  const { api, desired, privateState } = context;
  const { cloud_init: wanted } = desired;
  const data = wanted ? noCloudData(textsOf(wanted, wanted), desired.name) : null;
  if (!data) {
    const { dataImage: left } = privateState;
    privateState.dataImage = null;
    // Another user has put another disc into its drive.
    if (left !== null && dataDrive(draft) === null) await discardData(context, vm, draft, { storage: storageOf(left) });
    return draft;
  }
  const { slot, data_storage } = desired.cloud_init ?? {};
  const storage = data_storage ?? ownStorage(draft) ?? (await firstStorage(api, vm.node));
  const volume = imageVolume(storage, vm.vmid, data);
  const drive = dataDrive(draft);
  const isKept = privateState.isDataKept && drive !== null && fileOf(draft, drive) === privateState.dataImage;
  if (isKept && hasHidden(wanted)) return draft;
  privateState.dataImage = hasHidden(wanted) ? volume : null;
  const isInPlace = drive !== null && fileOf(draft, drive) === volume && (slot ?? drive) === drive;
  const isSafe = async () => isRunning && isSharedStorage(api, storage);
  if (isInPlace && ((await isSafe()) || (await isThere(context, vm, volume)))) return draft;
  if (!isFresh) await discardData(context, vm, draft, { storage, keep: volume });
  await uploadNoCloudIso(context, vm, storage, data).catch(async (reason: unknown) => {
    await removeVolume(context, vm.node, volume);
    throw reason;
  });
  const own = ownDrive(draft);
  // Another disc in the drive of a running VM keeps the volume that PVE generated, which no option names then; an emptied
  // drive removes it (qemu-server: src/PVE/QemuServer.pm, `vmconfig_update_disk`).
  if (isRunning && own !== null) await eject(context, vm, own);
  const target = slot ?? drive ?? own;
  return changeDisc(context, vm, (edited) => {
    // Emptied, it is no longer known as cloud-init's.
    if (own !== null && own !== target) edited.set(own, null);
    insertImage(edited, target, volume);
  });
}

/** HA, or who moves a VM by hand, leaves behind an image that is only on the node it comes from. */
async function isThere({ api, signal }: Context, { node }: GuestAddress, volume: string): Promise<boolean> {
  try {
    const images = await api.storage.listVolumes(node, storageOf(volume) ?? "", { content: "iso" }, { signal });
    return images.some(({ volid }) => volid === volume);
  } catch (reason) {
    // Who may not look could not upload it either.
    if (isPveError(reason, "permission")) return true;
    throw reason;
  }
}

async function changeDisc(
  context: Context & Partial<Changing>,
  vm: GuestAddress,
  edit: (draft: ConfigDraft) => void,
): Promise<ConfigDraft> {
  const { draft, intended } = await configure(context, vm, null, edit);
  // Where the order is left open, the disc is no reason to change it.
  const { desired } = context;
  const order = desired?.boot_order === undefined ? orderIn(intended.draft) : desired.boot_order;
  await restoreBootOrder(context, vm, intended, desired && order);
  return draft;
}

const orderIn = (draft: ConfigDraft) => draft.read({ option: "boot", key: "order" }) as readonly string[] | null;

const ownStorage = (draft: ConfigDraft) => storageOf(fileOf(draft, dataDrive(draft) ?? ""));

async function firstStorage(api: Session, node: string): Promise<string> {
  const [first] = await isoStorages(api, node);
  if (first !== undefined) return first;
  throw new Failure("No storage for ISO images", `None on ${node} can hold the cloud-init data.`, {
    path: "cloud_init.data_storage",
  });
}

const emptyDrive = "none,media=cdrom";

export const eject = (context: Context & Partial<Changing>, vm: GuestAddress, slot: string) =>
  changeDisc(context, vm, (edited) => edited.set(slot, emptyDrive));

/**
 * A VM cannot leave its node while an image that is only there is in its drive. It gets its own again on arrival.
 * Returns what the VM has become.
 */
export async function ejectLocalData(context: Changing, vm: GuestAddress, draft: ConfigDraft): Promise<ConfigDraft> {
  const slot = dataDrive(draft);
  if (slot === null || (await isSharedStorage(context.api, storageOf(fileOf(draft, slot)) ?? ""))) return draft;
  await discardData(context, vm, draft);
  const emptied = context.api.draft(draft.config);
  emptied.set(slot, emptyDrive);
  return emptied;
}

interface Discarding {
  readonly storage?: string | null | undefined;
  /** The image that stays. */
  readonly keep?: string;
  /** The VM is destroyed, with its snapshots. */
  readonly isLast?: boolean;
}

/**
 * Empties the drive, then removes its image and all others of this VM that interrupted runs have left. Both come before
 * what replaces them, and in this order: a VM whose drive names a missing image does not start, while an image that no
 * drive names is found when the run is resumed. Returns the line that the drive had.
 */
export async function discardData(
  context: Context & Partial<Changing>,
  vm: GuestAddress,
  draft: ConfigDraft,
  { storage, keep, isLast }: Discarding = {},
): Promise<{ slot: string; line: string } | null> {
  const slot = dataDrive(draft);
  const file = slot === null ? "" : fileOf(draft, slot);
  const line = slot === null ? "" : String(draft.raw(slot));
  if (slot !== null && file !== keep) await eject(context, vm, slot);
  // A snapshot may need it.
  if (isLast || !draft.has("parent")) {
    // Once the drive is empty, nothing shows where its image was, nor where one is that was kept for a snapshot.
    const isHidden = slot === null || draft.has("parent");
    const storages = isHidden ? await isoStorages(context.api, vm.node) : [storageOf(file) ?? ""];
    const swept = await sweepImages(context, vm, new Set([...storages, storage ?? ""]), keep);
    // Storages and images that may not be seen are not listed, without a word.
    const isMissed = dataImageOwner(file) === vm.vmid && file !== keep && !swept.has(file);
    if (isMissed) await removeImage(context, vm, file);
  }
  return slot === null ? null : { slot, line };
}

/** Removes the images that were made for this VM, wherever on these storages they are: the VM may have been moved. */
async function sweepImages(
  context: Context,
  vm: GuestAddress,
  storages: ReadonlySet<string>,
  keep: string | undefined,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { node, storage } of await placesOf(context.api, vm.node, storages)) {
    const images = await context.api.storage.listVolumes(node, storage, { content: "iso" }, { signal: context.signal });
    // On another node, the one to keep is of no use to the VM.
    const isKept = (volid: string) => volid === keep && node === vm.node;
    const left = images.filter(({ volid }) => dataImageOwner(volid) === vm.vmid && !isKept(volid));
    for (const { volid } of left) {
      await removeImage(context, { ...vm, node }, volid);
      found.add(volid);
    }
  }
  return found;
}

/** A storage that is not shared is another one on every node. */
async function placesOf(api: Session, home: string, names: ReadonlySet<string>) {
  return activeStorages(api, ({ storage, node, shared }) => names.has(storage) && (shared !== true || node === home));
}

async function removeImage(context: Context, { node, vmid }: GuestAddress, volume: string): Promise<void> {
  if (await removeVolume(context, node, volume)) return;
  context.report.warning(
    null,
    `Image ${volume} is left behind`,
    `VM ${vmid} does not use it any more, but it could not be removed: that takes Datastore.Allocate on its storage.`,
  );
}

/** Before the VM is destroyed: afterwards its image, or one that was kept for a snapshot, would be left without an owner. */
export async function discardOwnData(context: VmDelete, found: FoundGuest): Promise<void> {
  const draft = context.api.draft(found.config.options);
  const { data_storage: storage, user_data: text } = context.state.cloud_init ?? {};
  const hasImage = dataDrive(draft) !== null || typeof text === "string" || context.privateState.dataImage !== null;
  if (hasImage || draft.has("parent")) await discardData(context, addressOf(found), draft, { storage, isLast: true });
}
