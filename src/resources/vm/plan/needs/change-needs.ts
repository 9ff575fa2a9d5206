import type { ConfigDraft, Need } from "#kit";
import { isUp } from "../../../guest/is-up.ts";
import type { Source } from "../../../guest/lifecycle/source.ts";
import { heldBy } from "../../../guest/plan/needs/guest-needs.ts";
import { onGuest, onPath, onStorage } from "../../../guest/plan/needs/need.ts";
import type { Zones } from "../../../guest/plan/needs/network-needs.ts";
import { optionNeeds } from "../../../guest/plan/needs/option-needs.ts";
import type { PrivilegedChange } from "../../../guest/plan/privileges.ts";
import { storageOf } from "../../../guest/volume.ts";
import { fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import { vmPrivileges } from "../../privileges.ts";
import { isVolumeSlot } from "../../slots.ts";
import { isTextGiven } from "../plan-data.ts";
import { deviceNeeds, inheritedNeeds } from "./device-needs.ts";
import { arrangeNeeds, driveNeeds, volumeNeeds } from "./drive-needs.ts";

/** What the settings and devices of a change require. */
export function changeNeeds(context: VmPlan, change: PrivilegedChange, zones: Zones): Need[] {
  const { before, after, from } = change;
  const isClone = typeof from === "object";
  const isRestored = context.prior === null && Boolean(context.config.restore);
  const vm = heldBy(context);
  return [
    ...(isClone ? cloneNeeds(from, before) : []),
    ...(isClone ? inheritedNeeds(before, ["clone", "template"], zones) : []),
    ...(isRestored ? inheritedNeeds(before, ["restore", "archive"], zones) : []),
    ...optionNeeds(context.kind, vm, after),
    // Drives of a new VM require only what their volumes require.
    ...(from === "nothing" ? [] : driveNeeds(vm, change)),
    ...(from === "nothing" ? [] : bootNeeds(context, after)),
    ...volumeNeeds(vm, change),
    ...arrangeNeeds(vm, context, after),
    ...deviceNeeds(change, zones),
    ...cloudInitNeeds(context, after),
  ];
}

/** What a clone requires of its source and its storages (qemu-server: src/PVE/API2/Qemu.pm, `clone_vm`). */
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

/** PVE appends an inserted disc to the boot order. Where the order is known, it is removed again. */
function bootNeeds(context: VmPlan, after: ConfigDraft): Need[] {
  const { config } = context;
  const isInserted = Object.keys(after.patch.set).some(
    (slot) => isVolumeSlot(slot) && isCdrom(after, slot) && !isCloudInit(after, slot),
  );
  const isKnown = config.boot_order || (isTextGiven(context) && after.has("boot"));
  return isInserted && isKnown ? [onGuest(heldBy(context), vmPrivileges.disks, ["boot_order"])] : [];
}

/** The cloud-init drive of a running guest is written again. */
function cloudInitNeeds(context: VmPlan, after: ConfigDraft): Need[] {
  const { prior, planned } = context;
  const isTouched = Object.keys(after.patch.set).some((option) => /^(ci|ipconfig|name|search|sshkeys)/.test(option));
  const isWritten = isUp(prior) && isTouched && planned.cloud_init?.slot;
  return isWritten ? [onGuest(heldBy(context), vmPrivileges.writeCloudInit, ["cloud_init"])] : [];
}
