import { type ConfigDraft, type Need, pathOfOption } from "#kit";
import { plannedWithReleased } from "../../../guest/changes.ts";
import { volumesToGrow, volumesToMove } from "../../../guest/lifecycle/volumes.ts";
import { type Held, onGuest, onPath, onStorage } from "../../../guest/plan/needs/need.ts";
import { isAllocated, ownerOf, storageOf } from "../../../guest/volume.ts";
import { attributes } from "../../attributes.ts";
import { fileOf, isCdrom, isCloudInit } from "../../blocks/drive-slots.ts";
import type { VmPlan } from "../../contexts.ts";
import type { VmPrivilege } from "../../privileges.ts";
import { vmPrivileges } from "../../privileges.ts";
import { isVolumeSlot } from "../../slots.ts";

export interface Change {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** What was in a drive and what will be each take the right of its kind (qemu-server: src/PVE/API2/Qemu.pm). */
export function driveNeeds(vm: Held, { before, after }: Change): Need[] {
  return changedDrives(after).flatMap((slot) => {
    const rights = [before, after].flatMap((draft) => (draft.has(slot) ? rightsOnDrive(draft, slot) : []));
    const attribute = attributeOf(after.has(slot) ? after : before, slot);
    return [...new Set(rights)].map((right) => onGuest(vm, vmPrivileges[right], attribute));
  });
}

function rightsOnDrive(draft: ConfigDraft, slot: string): VmPrivilege[] {
  if (isCloudInit(draft, slot)) return ["writeCloudInit", "discs"];
  return isCdrom(draft, slot) ? ["discs"] : ["disks"];
}

/** What new volumes, and volumes of others, take of the storages (`check_storage_access`, `check_volume_access`). */
export function volumeNeeds({ vmid }: Held, { before, after }: Change): Need[] {
  return changedDrives(after).flatMap((slot) => {
    const attribute = attributeOf(after, slot);
    const file = after.has(slot) ? fileOf(after, slot) : "none";
    const storage = storageOf(file);
    if (file === "cdrom") return [onPath(vmPrivileges.hostDrive, "/", attribute)];
    if (storage === null || isCloudInit(after, slot)) return [];
    if (!isAllocated(file))
      return [onStorage(vmPrivileges.allocateSpace, storage, attribute), ...importNeeds(after, slot)];
    if (isFile(file)) return [onStorage(vmPrivileges.useImage, storage, attribute)];
    const isPresent = before.has(slot) && fileOf(before, slot) === file;
    return isPresent ? [] : attachNeeds(storage, ownerOf(file), vmid, attribute);
  });
}

/** A volume of another VM is that VM's to give. */
function attachNeeds(storage: string, owner: number | null, vmid: Held["vmid"], attribute: Need["attribute"]): Need[] {
  if (owner === null || owner === vmid) return [];
  const privileges = ["VM.Config.Disk", "Datastore.Allocate"];
  return [
    onStorage(vmPrivileges.attachVolume, storage, attribute),
    { privileges, paths: [`/storage/${storage}`, `/vms/${owner}`], attribute },
  ];
}

function importNeeds(after: ConfigDraft, slot: string): Need[] {
  const source = after.read({ option: slot, key: "import-from" });
  const storage = typeof source === "string" ? storageOf(source) : null;
  if (typeof source !== "string" || storage === null) return [];
  const attribute = ["disks", slot, "import_from"];
  const owner = ownerOf(source);
  if (owner !== null) return [onPath(vmPrivileges.cloneSource, `/vms/${owner}`, attribute)];
  // What is in an archive is unpacked beside it first.
  return [onStorage(vmPrivileges[/\.ova\//.test(source) ? "allocateSpace" : "useImage"], storage, attribute)];
}

/** Disks that move or grow, which takes calls of their own. */
export function arrangeNeeds(vm: Held, context: VmPlan, after: ConfigDraft): Need[] {
  const { kind } = context;
  const wanted = plannedWithReleased(context);
  const known = Object.entries(wanted.disks ?? {}).filter(([, disk]) => disk !== undefined);
  const desired = { ...wanted, disks: Object.fromEntries(known) };
  const moves = volumesToMove(kind, desired, after);
  const grown = volumesToGrow(kind, desired, after).map(({ slot }) => ({
    slot,
    storage: storageOf(fileOf(after, slot)),
  }));
  const imported = known.flatMap(([slot, disk]) => (disk?.import_from && disk.size ? [{ slot, storage: null }] : []));
  return [...moves, ...grown, ...imported].flatMap(({ slot, storage }) => {
    const attribute = pathOfOption(attributes, slot);
    const space = storage === null ? [] : [onStorage(vmPrivileges.allocateSpace, storage, attribute)];
    return [onGuest(vm, vmPrivileges.disks, attribute), ...space];
  });
}

/** One slot may hold what several attributes are about. */
function attributeOf(draft: ConfigDraft, slot: string): Need["attribute"] {
  if (isCloudInit(draft, slot)) return ["cloud_init"];
  return isCdrom(draft, slot) ? ["cdroms", slot] : pathOfOption(attributes, slot);
}

const changedDrives = ({ patch }: ConfigDraft): string[] =>
  [...Object.keys(patch.set), ...patch.delete].filter(isVolumeSlot);

const isFile = (volume: string): boolean => /^[^:]+:(iso|import)\//.test(volume);
