import { type ConfigDraft, enumerate, type Session } from "#kit";
import type { GuestAddress } from "#pve";
import { hasVolumes, type LeavingSlot, plannedWithReleased } from "../../changes.ts";
import type { GuestPlan } from "../../context.ts";
import { isUp } from "../../is-up.ts";
import { volumesToMove } from "../../lifecycle/volumes.ts";
import { formatOf, storageOf } from "../../volume.ts";

interface Change {
  readonly guest: GuestAddress;
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
}

/** The cure for a volume that is in snapshots, or will be; null if it is in none. */
type CureOf = (volume: string) => string | null;

/**
 * PVE neither moves nor deletes a volume that a snapshot needs, takes few of them to another node, and makes no template of
 * a guest with snapshots. The snapshot that is taken before the change counts.
 */
export async function checkSnapshots(context: GuestPlan, api: Session, change: Change): Promise<void> {
  const { kind, planned, prior, report } = context;
  const { guest } = change;
  const touched = touchedVolumes(context, change);
  const becomesTemplate = planned.template === true && !prior?.template;
  const isMigrated = planned.node !== undefined && planned.node !== guest.node;
  if (touched.length === 0 && !becomesTemplate && !isMigrated) return;
  const snapshots = await kind.calls(api).listSnapshots(guest);
  if (becomesTemplate && snapshots.length > 0) {
    const names = enumerate(snapshots.map(({ name }) => name));
    report.error(
      "template",
      `The ${kind.noun} has snapshots`,
      `A ${kind.noun} with snapshots cannot become a template. Delete them first: ${names}.`,
    );
  }
  const cureOf = await curesFor(context, api, guest, snapshots);
  for (const { slot, volume, path, what } of touched) {
    const cure = cureOf(volume);
    if (cure === null) continue;
    report.error(
      path,
      "A snapshot needs the disk",
      `\`${slot}\` (${volume}) of ${kind.noun} ${guest.vmid} cannot be ${what} while a snapshot needs it. ${cure}`,
    );
  }
  if (isMigrated) await checkMigrated(context, api, change, cureOf);
}

/** Volumes that the change moves to another storage, or deletes. */
function touchedVolumes(context: GuestPlan, { before, leaving }: Change) {
  const { kind } = context;
  const wanted = plannedWithReleased(context);
  const paths = new Map(kind.volumesIn(wanted).map(({ slot, path }) => [slot, path]));
  const moved = volumesToMove(kind, wanted, before).map(({ slot }) => ({
    slot,
    path: [...(paths.get(slot) ?? []), "storage"],
    what: "moved",
  }));
  const deleted = leaving
    .filter(({ map, slot, isDeleted }) => hasVolumes(kind, map) && isDeleted && before.has(slot))
    .map(({ map, slot }) => ({ slot, path: [map], what: "deleted" }));
  return [...moved, ...deleted].map((one) => ({ ...one, volume: kind.volumeAt(before, one.slot) }));
}

async function curesFor(
  { kind, privateState }: GuestPlan,
  api: Session,
  guest: GuestAddress,
  snapshots: readonly { readonly name: string }[],
): Promise<CureOf> {
  const linesOf = async (snapshot: string) =>
    Object.values((await kind.calls(api).getConfig(guest, { snapshot })).options).map(String);
  const configs = await Promise.all(snapshots.map(async ({ name }) => ({ name, lines: await linesOf(name) })));
  const due = privateState.isSnapshotDue
    ? "It would also be in the one that `before_change` takes first: leave `before_change` out for this apply."
    : null;
  return (volume) => {
    const users = configs.filter(({ lines }) => lines.some((line) => line.split(",")[0] === volume));
    const present = users.length === 0 ? [] : [`Delete first: ${enumerate(users.map(({ name }) => name))}.`];
    const cures = [...present, ...(due === null ? [] : [present.length === 0 ? due.replace(" also", "") : due])];
    return cures.length === 0 ? null : cures.join(" ");
  };
}

/**
 * Volumes on storages of one node only move without their snapshots, except between ZFS pools and as qcow2 files of a
 * stopped VM (qemu-server: src/PVE/QemuMigrate.pm; pve-container: src/PVE/LXC/Migrate.pm).
 */
async function checkMigrated(
  { kind, planned, prior, report }: GuestPlan,
  api: Session,
  { guest, before }: Change,
  cureOf: CureOf,
): Promise<void> {
  const { storages } = await api.inventory.snapshot();
  const local = new Map(
    storages.filter(({ node, shared }) => node === guest.node && !shared).map((one) => [one.storage, one.plugintype]),
  );
  const isVm = kind.type === "qemu";
  const isLive = isVm && isUp(prior) && planned.status === "running";
  const slots = before.slots(kind.families.volumes).filter((slot) => !/media=cdrom/.test(String(before.raw(slot))));
  for (const slot of slots) {
    const volume = kind.volumeAt(before, slot);
    const type = local.get(storageOf(volume) ?? "");
    const isMovable = type === "zfspool" || (isVm ? formatOf(volume) === "qcow2" : type === "btrfs");
    const cure = type === undefined || (isMovable && !isLive) ? null : cureOf(volume);
    if (cure === null) continue;
    report.error(
      "node",
      isVm ? "VM cannot move there" : "Container cannot move there",
      `\`${slot}\` (${volume}) is on a storage of ${guest.node} only, and Proxmox VE does not move it with snapshots${isLive ? " while the VM runs" : ""}. ${cure}`,
    );
  }
}
