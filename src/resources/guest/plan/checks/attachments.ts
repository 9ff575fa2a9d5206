import { type Attachment, attachmentsOf, enumerate, persistentDisks, type Session, showGuest } from "#kit";
import { plannedWithReleased } from "../../changes.ts";
import type { GuestPlan } from "../../context.ts";
import { volumesToMove } from "../../lifecycle/volumes.ts";
import { runOf } from "../../run.ts";
import { isForeign, ownerOf } from "../../volume.ts";
import { checkSize, claim, type ForeignVolume, foreignSlots, foreignVolumes, placeOf } from "../foreign-volumes.ts";
import { guestsToResume } from "../guards.ts";
import type { Change } from "./change.ts";

/** Volumes that belong to no guest, or to another one: what would destroy them, or attach them twice, is refused. */
export async function checkAttachments(context: GuestPlan, api: Session, change: Change): Promise<void> {
  const { config, prior } = context;
  const vmid = prior?.vmid ?? config.vmid;
  for (const one of foreignVolumes(context, config, vmid)) {
    checkPlace(context, api, one, change);
    checkSize(context, api, one);
    if (change.before.has(one.slot) && context.kind.volumeAt(change.before, one.slot) === one.volume) continue;
    if (prior === null) await claim(context, api, one, change.node);
    await checkHolders(context, api, one, change);
  }
  checkTemplate(context, change);
  checkMove(context, change);
}

/** A disk on a storage of one node can be used on that node only. */
function checkPlace({ kind, report }: GuestPlan, api: Session, { path, volume }: ForeignVolume, { node }: Change) {
  const place = persistentDisks(api).get(volume)?.node;
  if (!place || node === undefined || place === node) return;
  const detail = `\`${volume}\` is on a storage that only ${place} has, and the ${kind.noun} will be on ${node}. Set \`node = "${place}"\`, or use a disk on a shared storage.`;
  report.error([...path, "volume"], "Disk is on another node", detail);
}

async function checkHolders(
  context: GuestPlan,
  api: Session,
  { path, volume }: ForeignVolume,
  { node }: Change,
): Promise<void> {
  const { kind, prior, privateState, report, signal } = context;
  const own = [prior?.vmid, privateState.replacing];
  const keepers = await attachmentsOf(api).keepers(await placeOf(api, volume, node), signal);
  const others = keepers.filter((one) => !own.includes(one.vmid) && !one.isTemporary);
  const { inState, intents } = runOf(api);
  // An apply has read nothing, and does not know which guests are about to be changed: it waits before it attaches.
  const isPlan = inState.size > 0 || persistentDisks(api).get(volume)?.isRefreshed === true;
  // A tainted guest is replaced: it was read, and no plan keeps it.
  const holders = others.filter((one) => one.snapshot === null && !(inState.has(one.vmid) && !intents.has(one.vmid)));
  const resumed = holders.length > 0 && prior === null ? await guestsToResume(context, api) : [];
  const holder = holders.find(({ vmid }) => !resumed.includes(vmid));
  const at = [...path, "volume"];
  if (holder !== undefined && isPlan) {
    const detail = `\`${volume}\` is \`${holder.slot}\` of ${await show(api, holder)}, and this plan does not take it from there. Two guests that write to one disk destroy its data. Remove the slot from that guest first, in this apply or by hand. A running guest that cannot unplug the disk keeps it until a restart: set its \`restart_policy = "when_needed"\`. With \`-parallelism=1\`, a guest that gives the disk up has to be planned first: write \`depends_on\` here, or plan without that option.`;
    report.error(at, "Disk is attached to another guest", detail);
  }
  const snapshots = others.filter(({ snapshot }) => snapshot !== null);
  const [first] = snapshots;
  if (first !== undefined) {
    const names = enumerate(snapshots.map(({ snapshot }) => snapshot ?? ""));
    const detail = `${await show(api, first)} has snapshots with \`${volume}\`: ${names}. A rollback of that guest attaches the disk there again and takes its data back to that moment. Delete these snapshots.`;
    report.warning(at, "Snapshots of another guest contain the disk", detail);
  }
  const owner = (await api.inventory.snapshot()).guests.get(ownerOf(volume) ?? 0);
  if (owner !== undefined && !own.includes(owner.vmid)) {
    const detail = `\`${volume}\` belongs to ${await showGuest(api, owner)} (${owner.vmid}) and is destroyed with that guest, whichever ${kind.noun} it is attached to. A \`proxmox_disk\` belongs to no guest.`;
    report.warning(at, "Disk of another guest", detail);
  }
}

async function show(api: Session, { vmid }: Attachment): Promise<string> {
  const guest = await api.inventory.locate(vmid);
  return guest === null ? `guest ${vmid}` : `${await showGuest(api, guest)} (${vmid})`;
}

/** A template makes base images of its disks: it renames them (qemu-server: src/PVE/QemuServer.pm, `template_create`). */
function checkTemplate(context: GuestPlan, { after }: Change): void {
  const { kind, config, prior, planned, report } = context;
  if (planned.template !== true || prior?.template) return;
  const slots =
    prior?.vmid === undefined ? foreignVolumes(context, config, config.vmid) : foreignSlots(context, after, prior.vmid);
  for (const { slot, volume } of slots) {
    const detail = `\`${slot}\` holds \`${volume}\`, which does not belong to the ${kind.noun}, and a template would rename it and make it read-only. Detach it first.`;
    report.error("template", "Disk would become part of the template", detail);
  }
}

/** A move copies the volume for the guest and deletes the original (qemu-server: src/PVE/API2/Qemu.pm, `move_vm_disk`). */
function checkMove(context: GuestPlan, { before }: Change): void {
  const { kind, prior, report } = context;
  if (prior?.vmid === undefined) return;
  const wanted = plannedWithReleased(context);
  const paths = new Map(kind.volumesIn(wanted).map(({ slot, path }) => [slot, path]));
  for (const { slot } of volumesToMove(kind, wanted, before)) {
    const volume = kind.volumeAt(before, slot);
    if (!isForeign(volume, prior.vmid)) continue;
    const detail = `\`${slot}\` holds \`${volume}\`, which does not belong to ${kind.noun} ${prior.vmid}. Proxmox VE would delete it and give the copy to this ${kind.noun}, with which it would be destroyed. To use another storage, attach a second disk there and copy the data in the guest.`;
    report.error([...(paths.get(slot) ?? []), "storage"], "Disk cannot be moved", detail);
  }
}
