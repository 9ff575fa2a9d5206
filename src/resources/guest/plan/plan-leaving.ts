import type { Members } from "#kit";
import { hasVolumes, type Leaving, type LeavingSlot } from "../changes.ts";
import type { GuestPlan, GuestState } from "../context.ts";
import { slotMaps } from "../observe.ts";
import { foreignVolumes } from "./foreign-volumes.ts";

/** Reports what becomes of slots that are no longer configured. */
export function reportLeaving(context: GuestPlan, prior: GuestState, leaving: Leaving): void {
  const { kind, report } = context;
  const { removed, released, kept } = leaving;
  const foreign = new Map(foreignVolumes(context, prior, prior.vmid).map(({ slot, volume }) => [slot, volume]));
  // What a container has of its host is no volume, and stays there.
  const isOfHost = ({ map, slot }: LeavingSlot) =>
    Boolean(((prior as Members)[map] as Record<string, Members | null> | null | undefined)?.[slot]?.["host_path"]);
  const isVolume = (one: LeavingSlot) => hasVolumes(kind, one.map) && !isOfHost(one);
  const isKeptHere = (one: LeavingSlot) => isVolume(one) && !one.isDeleted && !foreign.has(one.slot);
  const detached = removed.filter(isKeptHere);
  if (detached.length > 0) context.setUnknown("unused_disks");
  refuseTooMany(context, prior, detached);
  for (const one of removed) {
    const { map, slot, isDeleted } = one;
    const fate = !isVolume(one)
      ? "is removed"
      : foreign.has(slot)
        ? `is detached; \`${foreign.get(slot)}\` does not belong to the ${kind.noun} and stays with its data`
        : isDeleted
          ? "is destroyed with its data"
          : "is detached; its data is kept as an unused volume";
    report.warning([map], `${slot} leaves the ${kind.noun}`, `\`${slot}\` of ${kind.noun} ${prior.vmid} ${fate}.`);
  }
  for (const { map, slot } of released) {
    const text = `\`${slot}\` of ${kind.noun} ${prior.vmid} was there before it was configured: it stays, with the settings that it had then.`;
    report.warning([map], `${slot} goes back to what it was`, text);
  }
  if (kept.length > 0) {
    const text = `No longer listed, and left on ${kind.noun} ${prior.vmid} as they are: ${kept.join(", ")}. The plan shows them as removed from the map only.`;
    report.warning(null, "Slots that are left alone", text);
  }
  planInherited(context, prior, leaving);
}

/** Slots for unused volumes (pve-guest-common: src/PVE/AbstractConfig.pm, `$MAX_UNUSED_DISKS`). */
const mostUnused = 256;

function refuseTooMany({ kind, report }: GuestPlan, prior: GuestState, detached: Leaving["removed"]): void {
  const { length } = Object.keys(prior.unused_disks ?? {});
  const [first] = detached;
  if (first === undefined || length + detached.length <= mostUnused) return;
  report.error(
    [first.map],
    "Too many unused volumes",
    `\`${first.slot}\` cannot be kept as an unused volume: ${kind.noun} ${prior.vmid} has ${length}, and Proxmox VE keeps ${mostUnused} at most. Remove some of them, or set \`on_remove = "delete"\`.`,
  );
}

/** A slot of the clone source is inherited again when it is no longer configured. */
function planInherited(context: GuestPlan, prior: GuestState, { removed, released }: Leaving): void {
  const { kind, changes, config, planned } = context;
  const emptied = slotMaps(kind.settings).filter(([map]) => (config as Members)[map] === null && changes.has(map));
  const freed = [
    ...released.map(({ slot }) => slot),
    ...emptied.flatMap(([map]) => Object.keys((planned as Members)[map] ?? {})),
  ];
  const before = (prior.inherited ?? []).filter((slot): slot is string => slot !== undefined);
  const gone = new Set(removed.map(({ slot }) => slot));
  const more = prior.clone || prior.restore ? freed.filter((slot) => !before.includes(slot)) : [];
  const inherited = [...before.filter((slot) => !gone.has(slot)), ...more];
  if (more.length > 0 || inherited.length < before.length) context.set("inherited", inherited);
}
