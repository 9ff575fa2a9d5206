import { bytesOf, type ConfigDraft, type Members, parseWired } from "#kit";
import type { GuestKind } from "./kind.ts";
import { volumesToGrow, volumesToMove } from "./lifecycle/volumes.ts";

/** Why an existing guest is not adopted: an adoption changes settings, and nothing that takes more than one call. */
export interface Obstacle {
  readonly path: readonly string[];
  /** A sentence without its full stop. */
  readonly why: string;
}

interface Drafts {
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
}

/** Volumes that would be created, exchanged, moved or resized, and what is fixed at creation. */
export function obstaclesTo(kind: GuestKind, wanted: object, { before, after }: Drafts): Obstacle[] {
  const pathOf = new Map(kind.volumesIn(wanted).map(({ slot, path }) => [slot, path]));
  const at = (slot: string, why: string): Obstacle => ({ path: pathOf.get(slot) ?? [], why });
  const slots = [...new Set([before, after].flatMap((draft) => draft.slots(kind.families.volumes)))];
  const volume = (draft: ConfigDraft, slot: string) => (draft.has(slot) ? kind.volumeAt(draft, slot) : "nothing");
  const fixed = new Set(kind.namedVolumes.map(([, slot]) => slot));
  return [
    ...slots
      .filter((slot) => volume(before, slot) !== volume(after, slot))
      .map((slot) => at(slot, `\`${slot}\` has ${volume(before, slot)}, and is to have another volume`)),
    ...slots
      .filter((slot) => fixed.has(slot) && before.has(slot) && before.raw(slot) !== after.raw(slot))
      .map((slot) => at(slot, `\`${slot}\` is \`${before.raw(slot)}\`, which is fixed at creation`)),
    ...volumesToMove(kind, wanted, before).map(({ slot, storage, format }) =>
      at(slot, `\`${slot}\` is ${volume(before, slot)}, and is to be on ${storage}${format ? ` as ${format}` : ""}`),
    ),
    ...otherSizes(kind, wanted, before).map(({ slot, size }) =>
      at(slot, `\`${slot}\` has ${before.read({ option: slot, key: "size" })}, and is to have ${size}`),
    ),
    ...otherPrivileges(kind, wanted, before),
  ];
}

function otherSizes(kind: GuestKind, wanted: object, before: ConfigDraft) {
  const smaller = kind.volumesIn(wanted).flatMap(({ slot, volume }) => {
    const now = before.read({ option: slot, key: "size" });
    const [is, will] = [typeof now === "string" ? bytesOf(now) : null, volume?.size ? bytesOf(volume.size) : null];
    return volume?.size && is !== null && will !== null && will < is ? [{ slot, size: volume.size }] : [];
  });
  return [...volumesToGrow(kind, wanted, before), ...smaller];
}

/** Only containers have it. PVE fixes it at creation. */
function otherPrivileges(kind: GuestKind, wanted: object, before: ConfigDraft): Obstacle[] {
  const [is, will] = [parseWired(kind.settings, before), wanted as Members].map((tree) => tree["unprivileged"]);
  if (typeof will !== "boolean" || is === will) return [];
  return [{ path: ["unprivileged"], why: `it is ${is ? "unprivileged" : "privileged"}, which is fixed at creation` }];
}
