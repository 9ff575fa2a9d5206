import { type ConfigDraft, enumerate, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import { hasVolumes, type LeavingSlot } from "../../changes.ts";
import type { GuestPlan } from "../../context.ts";
import { volumesToMove } from "../../lifecycle/volumes.ts";

interface Change {
  readonly guest: GuestAddress;
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

/** PVE neither moves nor deletes a volume that a snapshot needs, and makes no template of a guest with snapshots. */
export async function checkSnapshots(
  { kind, planned, prior, report }: GuestPlan,
  api: Session,
  { guest, before, leaving }: Change,
): Promise<void> {
  const calls = kind.calls(api);
  const paths = new Map(kind.volumesIn(planned).map(({ slot, path }) => [slot, path]));
  const moved = volumesToMove(kind, planned, before).map(({ slot }) => ({
    slot,
    path: [...(paths.get(slot) ?? []), "storage"],
    what: "moved",
  }));
  const deleted = leaving
    .filter(({ map, slot, isDeleted }) => hasVolumes(kind, map) && isDeleted && before.has(slot))
    .map(({ map, slot }) => ({ slot, path: [map], what: "deleted" }));
  const becomesTemplate = planned.template === true && !prior?.template;
  if (moved.length + deleted.length === 0 && !becomesTemplate) return;
  const snapshots = await calls.listSnapshots(guest);
  if (becomesTemplate && snapshots.length > 0) {
    const names = enumerate(snapshots.map(({ name }) => name));
    report.error(
      "template",
      `The ${kind.noun} has snapshots`,
      `A ${kind.noun} with snapshots cannot become a template. Delete them first: ${names}.`,
    );
  }
  const linesOf = async (snapshot: string) =>
    Object.values((await calls.getConfig(guest, { snapshot })).options).map(String);
  const configs = await Promise.all(snapshots.map(async ({ name }) => ({ name, lines: await linesOf(name) })));
  for (const { slot, path, what } of [...moved, ...deleted]) {
    const volume = kind.volumeAt(before, slot);
    const users = configs.filter(({ lines }) => lines.some((line) => line.split(",")[0] === volume));
    if (users.length === 0) continue;
    report.error(
      path,
      "A snapshot needs the disk",
      `\`${slot}\` (${volume}) of ${kind.noun} ${guest.vmid} cannot be ${what} while a snapshot needs it. Delete first: ${enumerate(users.map(({ name }) => name))}.`,
    );
  }
}
