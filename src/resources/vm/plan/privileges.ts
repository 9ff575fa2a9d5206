import { type ConfigDraft, checkPrivileges, type Need, permissionsToCheck, type Session } from "#kit";
import type { Source } from "../../guest/lifecycle/source.ts";
import { heldBy } from "../../guest/plan/needs/guest-needs.ts";
import { onGuest, onPath, onStorage } from "../../guest/plan/needs/need.ts";
import { storageOf } from "../../guest/volume.ts";
import { fileOf, isCdrom, isCloudInit } from "../blocks/drive-slots.ts";
import type { VmPlan } from "../contexts.ts";
import { vmPrivileges } from "../privileges.ts";
import { isVolumeSlot } from "../slots.ts";
import { deviceNeeds, inheritedNeeds } from "./needs/device-needs.ts";
import { arrangeNeeds, driveNeeds, volumeNeeds } from "./needs/drive-needs.ts";
import { optionNeeds } from "./needs/option-needs.ts";
import { isTextGiven } from "./plan-data.ts";
import { refuseReserved } from "./reserved.ts";

/** A change to a VM's configuration. */
interface Change {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  /** What the VM is cloned from, what is made anew, or what is there already. */
  readonly from: Source | "nothing" | "itself";
  /** What it takes besides. */
  readonly needs: readonly Need[];
}

/** Says before anything is begun what of the change the caller may not do. */
export async function checkChangePrivileges(context: VmPlan, api: Session, change: Change): Promise<void> {
  if (api.identity === "root@pam") return;
  const { before, after, from } = change;
  const isClone = typeof from === "object";
  refuseReserved(context, api, change);
  const permissions = await permissionsToCheck(api);
  if (permissions === null) return;
  const zones = zonesIn(Object.keys(permissions));
  const vm = heldBy(context);
  const needs = [
    ...change.needs,
    ...(isClone ? cloneNeeds(from, before) : []),
    ...(isClone ? inheritedNeeds(before, ["clone", "template"], zones) : []),
    ...optionNeeds(vm, after),
    // Drives of a new VM take nothing but what their volumes take.
    ...(from === "nothing" ? [] : driveNeeds(vm, change)),
    ...(from === "nothing" ? [] : bootNeeds(context, after)),
    ...volumeNeeds(vm, change),
    ...arrangeNeeds(vm, context, after),
    ...deviceNeeds(change, zones),
    ...cloudInitNeeds(context, after),
  ];
  await checkPrivileges({ report: context.report, api, needs });
}

/** Zones the caller has rights of their own on. */
const zonesIn = (paths: readonly string[]): string[] => [
  ...new Set(paths.flatMap((path) => /^\/sdn\/zones\/([^/]+)/.exec(path)?.[1] ?? [])),
];

/** What a clone takes of its source and its storages (qemu-server: src/PVE/API2/Qemu.pm, `clone_vm`). */
function cloneNeeds({ vmid }: Source, base: ConfigDraft): Need[] {
  const drives = Object.keys(base.config).filter(isVolumeSlot);
  const disks = drives.filter((slot) => !isCdrom(base, slot));
  const storages = [...disks.map((slot) => storageOf(fileOf(base, slot))), base.raw("vmstatestorage")];
  return [
    onPath(vmPrivileges.cloneSource, `/vms/${vmid}`, ["clone", "template"]),
    ...storages.flatMap((storage) =>
      storage === null ? [] : [onStorage(vmPrivileges.allocateSpace, String(storage), ["clone"])],
    ),
    ...(drives.some((slot) => fileOf(base, slot) === "cdrom") ? [onPath(vmPrivileges.hostDrive, "/", ["clone"])] : []),
  ];
}

/** A disc that is put in gets into the boot order by itself, and out of it again where the order is known. */
function bootNeeds(context: VmPlan, after: ConfigDraft): Need[] {
  const { config } = context;
  const isInserted = Object.keys(after.patch.set).some(
    (slot) => isVolumeSlot(slot) && isCdrom(after, slot) && !isCloudInit(after, slot),
  );
  const isKnown = config.boot_order || (isTextGiven(context) && after.has("boot"));
  return isInserted && isKnown ? [onGuest(heldBy(context), vmPrivileges.disks, ["boot_order"])] : [];
}

/** The drive of a running guest is written again. */
function cloudInitNeeds(context: VmPlan, after: ConfigDraft): Need[] {
  const { prior, planned } = context;
  const isTouched = Object.keys(after.patch.set).some((option) => /^(ci|ipconfig|name|search|sshkeys)/.test(option));
  const isWritten = prior?.status === "running" && isTouched && planned.cloud_init?.slot;
  return isWritten ? [onGuest(heldBy(context), vmPrivileges.writeCloudInit, ["cloud_init"])] : [];
}
