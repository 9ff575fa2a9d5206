import { type ConfigDraft, isGranted, type Members, type Need, permissionsToCheck, type Session } from "#kit";
import { heldBy } from "../../guest/plan/needs/guest-needs.ts";
import { onGuest, onPath, onStorage } from "../../guest/plan/needs/need.ts";
import { storageOf } from "../../guest/volume.ts";
import { dataDrive, insertImage } from "../blocks/cloud-init-drive.ts";
import { fileOf } from "../blocks/drive-slots.ts";
import { isoStorages } from "../cloud-init-iso/iso-storage.ts";
import { hasHidden, imageVolume, noCloudData, someImage, type Texts, textsOf } from "../cloud-init-iso/texts.ts";
import type { VmPlan } from "../contexts.ts";
import { vmPrivileges } from "../privileges.ts";

const volumePath = "cloud_init.data_volume";

/** Texts that will be on the disc, in whichever form they are given. Null: there is no `cloud_init`. */
function plannedTexts({ planned, config }: VmPlan): Texts | null {
  return planned.cloud_init ? textsOf(planned.cloud_init, config.cloud_init) : null;
}

/** Whether text is given, as far as it is known by now. */
export const isTextGiven = (context: VmPlan): boolean => typeof plannedTexts(context)?.user_data === "string";

/** The plan, with write-only texts where the others would be: what the configuration of the VM is foreseen from. */
export function withTexts(context: VmPlan): Members {
  const { planned } = context;
  return { ...planned, ...(planned.cloud_init && { cloud_init: { ...planned.cloud_init, ...plannedTexts(context) } }) };
}

/** Plans the image in the drive. Its name depends on its content, so another text, or a drive that was emptied, shows. */
export function planImage(context: VmPlan): void {
  const { cloud_init: planned } = context.planned;
  if (!planned) return;
  changeDrive(context);
  planMissingDrive(context);
  if (plannedTexts(context)?.user_data === null) return;
  if (planned.data_storage === null) context.setUnknown("cloud_init.data_storage");
  const isDriveless = planned.data_storage === null || planned.slot === null;
  const isSlotOpen = (context.config.cloud_init?.slot ?? null) === null;
  // A slot that goes back to what it was is known.
  const past = context.prior?.cloud_init?.slot ?? null;
  const isUndone = past !== null && planned.slot !== null && planned.slot !== past;
  if (isDriveless && isSlotOpen && !isUndone) context.setUnknown("cloud_init.slot");
  planVolume(context);
}

function planVolume(context: VmPlan): void {
  const { cloud_init: planned, vmid, name } = context.planned;
  if (!planned) return;
  const storage = planned.data_storage;
  const data = noCloudData(plannedTexts(context) ?? planned, name);
  const foreseen = data && storage && vmid ? imageVolume(storage, vmid, data) : undefined;
  const volume = hasHidden(context.config.cloud_init) ? keptImage(context, foreseen) : foreseen;
  if (volume === undefined) context.setUnknown(volumePath);
  else if (volume !== planned.data_volume) context.set(volumePath, volume);
}

/**
 * The image of write-only texts that stays; undefined: another one takes its place, and which is known after apply. The
 * texts may be others then, so only what stays is promised.
 */
function keptImage(context: VmPlan, foreseen: string | undefined): string | undefined {
  const { prior, planned, privateState } = context;
  const [before, now] = [prior?.cloud_init, planned.cloud_init];
  const isInPlace = before && before.data_volume !== null && before.data_volume === privateState.dataImage;
  const isUnchanged = () =>
    (["data_version", "slot", "data_storage", "network_data", "meta_data", "vendor_data"] as const).every(
      (name) => before?.[name] === now?.[name],
    ) &&
    prior?.name === planned.name &&
    prior?.node === planned.node;
  const isKept = isInPlace && (now?.data_version === null ? foreseen === privateState.dataImage : isUnchanged());
  privateState.isDataKept = Boolean(isKept);
  return isKept ? before.data_volume : undefined;
}

/** One drive takes the other's place when text comes or goes, and lies elsewhere. */
function changeDrive(context: VmPlan): void {
  const { prior, planned, config, privateState } = context;
  const before = prior?.cloud_init;
  const hadText = before?.user_data !== null || privateState.dataImage !== null;
  if (!before || hadText === (plannedTexts(context)?.user_data !== null)) return;
  context.setUnknown(volumePath);
  for (const name of ["storage", "data_storage"] as const) {
    // What goes back to what it was is known.
    const isKept = planned.cloud_init?.[name] === before[name];
    if (isOpen(config, name) && isKept) context.setUnknown(["cloud_init", name]);
  }
}

const isOpen = ({ cloud_init: config }: VmPlan["config"], name: "slot" | "storage" | "data_storage"): boolean =>
  config === null || config?.[name] === null;

/** A drive that an interrupted run has emptied, or another user has removed, is created again with any change. */
function planMissingDrive(context: VmPlan): void {
  const { prior, config, changes } = context;
  if (!changes.has("cloud_init") || prior?.cloud_init?.slot !== null) return;
  for (const name of ["slot", "storage"] as const) {
    if (isOpen(config, name)) context.setUnknown(["cloud_init", name]);
  }
}

/** Puts a stand-in for the image into the predicted configuration, and says what uploading the real one takes. */
export async function foreseeImage(context: VmPlan, api: Session, after: ConfigDraft): Promise<Need[]> {
  const { prior } = context;
  const { cloud_init: planned, node } = context.planned;
  if (!planned || !isTextGiven(context) || node === undefined) return [];
  const storages = await isoStorages(api, node);
  const drive = dataDrive(after);
  const storage = planned.data_storage ?? (drive === null ? storages[0] : storageOf(fileOf(after, drive)));
  const isKnown = storage && (storages.includes(storage) || api.planned.has("storage", storage));
  if (!isKnown && !(await isHidden(api, storage ?? null))) {
    refuseStorage(context, storage, node, storages);
    return [];
  }
  // PVE hides storages from who may not audit them; that is what is missing then.
  if (!storage) return [onPath(vmPrivileges.seeStorage, "/storage", ["cloud_init", "user_data"])];
  insertImage(after, planned.slot, someImage(storage, 0));
  if (prior?.cloud_init && planned.data_volume === prior.cloud_init.data_volume) return [];
  const attribute = ["cloud_init", "user_data"];
  return [
    onStorage(vmPrivileges.upload, storage, attribute),
    onStorage(vmPrivileges.seeStorage, storage, attribute),
    onGuest(heldBy(context), vmPrivileges.discs, attribute),
  ];
}

/** Whether the storage, or any there may be, could be there without being shown. */
async function isHidden(api: Session, storage: string | null): Promise<boolean> {
  const permissions = await permissionsToCheck(api);
  const path = storage === null ? "/storage" : `/storage/${storage}`;
  return permissions !== null && !isGranted(permissions, path, "Datastore.Audit");
}

function refuseStorage(
  { report }: VmPlan,
  storage: string | null | undefined,
  node: string,
  others: readonly string[],
): void {
  const names = others.map((name) => `\`${name}\``).join(", ") || "none";
  report.error(
    "cloud_init.data_storage",
    "No storage for ISO images",
    `Cloud-init data is uploaded as an ISO image, which ${storage ? `\`${storage}\`` : "no storage"} on ${node} can hold. Those that can: ${names}.`,
  );
}

/** Once everything else is foreseen: without text, the drive holds what it inherits. */
export function settleImage(context: VmPlan, after: ConfigDraft): void {
  const { cloud_init: planned } = context.planned;
  const isTextless = plannedTexts(context)?.user_data === null;
  if (!isTextless) planVolume(context);
  if (!planned || !isTextless) return;
  const drive = dataDrive(after);
  const volume = drive === null ? null : fileOf(after, drive);
  if (planned.data_volume !== volume) context.set(volumePath, volume);
  // Not the storage of an earlier text, which the line that chose another one remembers.
  const storage = volume === null ? null : storageOf(volume);
  if (planned.data_storage !== storage) context.set("cloud_init.data_storage", storage);
}
