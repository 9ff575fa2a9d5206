import type { ConfigDraft, Need } from "#kit";
import { plannedWithReleased } from "../../../guest/changes.ts";
import type { Source } from "../../../guest/lifecycle/source.ts";
import { volumesToGrow, volumesToMove } from "../../../guest/lifecycle/volumes.ts";
import { heldBy } from "../../../guest/plan/needs/guest-needs.ts";
import { onGuest, onPath, onStorage } from "../../../guest/plan/needs/need.ts";
import { networkNeeds, type Zones } from "../../../guest/plan/needs/network-needs.ts";
import { optionNeeds } from "../../../guest/plan/needs/option-needs.ts";
import type { PrivilegedChange } from "../../../guest/plan/privileges.ts";
import { isAllocated, storageOf } from "../../../guest/volume.ts";
import type { ContainerPlan } from "../../contexts.ts";
import { containerPrivileges } from "../../privileges.ts";
import { families, isCardSlot, isMountSlot, volumeAt } from "../../slots.ts";

/** What the settings and devices of a change require. */
export function changeNeeds(context: ContainerPlan, change: PrivilegedChange, zones: Zones): Need[] {
  const { before, after, from } = change;
  return [
    ...(typeof from === "object" ? cloneNeeds(from, before, zones) : []),
    ...(from === "nothing" ? imageNeeds(context) : []),
    ...(context.prior === null && context.config.restore ? restoreNeeds(context, before, zones) : []),
    ...optionNeeds(context.kind, heldBy(context), after),
    ...cardNeeds(change, zones),
    ...volumeNeeds(change),
    ...arrangeNeeds(context, after),
  ];
}

/** What a clone requires of its source, its storages and its networks (pve-container: src/PVE/API2/LXC.pm, `clone_vm`). */
function cloneNeeds({ vmid }: Source, base: ConfigDraft, zones: Zones): Need[] {
  const storages = base.slots(families.volumes).flatMap((slot) => storageOf(volumeAt(base, slot)) ?? []);
  return [
    onPath(containerPrivileges.cloneSource, `/vms/${vmid}`, ["clone", "template"]),
    ...storages.map((storage) => onStorage(containerPrivileges.allocateSpace, storage, ["clone"])),
    ...base.slots(families.networks).flatMap((slot) => networkNeeds(base, slot, ["clone", "template"], zones)),
  ];
}

/** What a new container requires of its image, and for privileges of its own. */
function imageNeeds({ config }: ContainerPlan): Need[] {
  const storage = config.image?.volume ? storageOf(config.image.volume) : null;
  return [
    ...(storage === null ? [] : [onStorage(containerPrivileges.useImage, storage, ["image", "volume"])]),
    ...(config.unprivileged === false ? [onPath(containerPrivileges.privileged, "/", ["unprivileged"])] : []),
  ];
}

/** What a container from a backup requires besides its storages (pve-container: src/PVE/API2/LXC.pm, `create_vm`). */
function restoreNeeds({ config }: ContainerPlan, base: ConfigDraft, zones: Zones): Need[] {
  const path = ["restore", "archive"];
  const isPrivileged = config.unprivileged === false || Number(base.raw("unprivileged") ?? 0) !== 1;
  return [
    ...(isPrivileged ? [onPath(containerPrivileges.privileged, "/", path)] : []),
    ...base.slots(families.networks).flatMap((slot) => networkNeeds(base, slot, path, zones)),
  ];
}

/** Networks that a change connects or disconnects: both require the privilege to use them. */
function cardNeeds({ before, after }: PrivilegedChange, zones: Zones): Need[] {
  const { set, delete: removed } = after.patch;
  return [...Object.keys(set), ...removed]
    .filter(isCardSlot)
    .flatMap((slot) => [before, after].flatMap((draft) => networkNeeds(draft, slot, ["networks", slot], zones)));
}

/** What new volumes require of their storages. */
function volumeNeeds({ after }: PrivilegedChange): Need[] {
  return Object.keys(after.patch.set)
    .filter(isMountSlot)
    .flatMap((slot) => {
      const volume = volumeAt(after, slot);
      const storage = storageOf(volume);
      return storage === null || isAllocated(volume)
        ? []
        : [onStorage(containerPrivileges.allocateSpace, storage, ["mounts", slot])];
    });
}

/** Volumes that move or grow, by calls of their own. */
function arrangeNeeds(context: ContainerPlan, after: ConfigDraft): Need[] {
  const { kind } = context;
  const known = Object.entries(plannedWithReleased(context).mounts ?? {}).filter(([, mount]) => mount !== undefined);
  const desired = { mounts: Object.fromEntries(known) };
  const grown = volumesToGrow(kind, desired, after).map(({ slot }) => ({
    slot,
    storage: storageOf(volumeAt(after, slot)),
  }));
  return [...volumesToMove(kind, desired, after), ...grown].flatMap(({ slot, storage }) => {
    const space = storage === null ? [] : [onStorage(containerPrivileges.allocateSpace, storage, ["mounts", slot])];
    return [onGuest(heldBy(context), containerPrivileges.disks, ["mounts", slot]), ...space];
  });
}
