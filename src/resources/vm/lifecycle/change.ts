import { type ConfigDraft, type Members, patchWired, repeatableWrite, step } from "#kit";
import type { GuestAddress } from "#pve";
import { changedOnly, type LeavingSlot } from "../../guest/changes.ts";
import { configure, sendPatch } from "../../guest/lifecycle/configure.ts";
import { noteLeaving } from "../../guest/lifecycle/detached.ts";
import { configOf, pendingOf } from "../../guest/lifecycle/known.ts";
import { arrangeVolumes, isToAttach } from "../../guest/lifecycle/volumes.ts";
import { applyWaiting, takeBackLeaving, takeBackWaiting } from "../../guest/lifecycle/waiting-volumes.ts";
import { forgetOptions, patchSettings } from "../../guest/removed-options.ts";
import { settings } from "../attributes.ts";
import { fileOf } from "../blocks/drive-slots.ts";
import { someImage, textsOf, withImageAsText } from "../cloud-init-iso/texts.ts";
import type { VmUpdate } from "../contexts.ts";
import { cloudInitOption } from "../live-changes.ts";
import { removeSlot } from "../slots.ts";
import { unreadAfter } from "../unread.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { arrangeData, discardData } from "./cloud-init-data.ts";
import { refuseLargeImages } from "./image-size.ts";
import { clearWayForDrive, removeLeftDrive, takeBackDrive, vacateDrive } from "./own-drive.ts";

interface Starting {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
  readonly removed: readonly string[];
  readonly isRunning: boolean;
}

/** Changes the settings and drives of a VM. Returns its configuration, and options that the guest reads when it boots. */
export async function changeVm(context: VmUpdate, vm: GuestAddress, starting: Starting) {
  const { leaving, removed, isRunning } = starting;
  const { kind, desired, privateState, id } = context;
  const before = isRunning ? await takeBackDrive(context, vm, starting.before) : starting.before;
  // Before the settings: a pending line would keep its former size and volume.
  const takenBack = isRunning ? await takeBackWaiting(context, vm, before) : [];
  if (isRunning) await takeBackLeaving(context, vm, leaving);
  if (!isRunning) await applyWaiting(context, vm, before);
  await arrangeVolumes(context, vm, before);
  const { draft, sent } = await step(context.log, "config", { vmid: id.vmid }, async () =>
    reconfigure(context, vm, { leaving, takenBack, removed, isRunning, emptied: await dropText(context, vm, before) }),
  );
  privateState.fingerprint = kind.fingerprint(draft.config);
  noteLeaving(kind, privateState, { vmid: vm.vmid, leaving, before, now: draft });
  if (hasNewDisks(context, before)) {
    refuseLargeImages(desired, before, draft);
    await arrangeVolumes(context, vm, draft);
  }
  const complete = await arrangeData(context, vm, draft, { isRunning, isFresh: false });
  await removeLeftDrive(context, vm, before, complete);
  return { draft: complete, unread: unreadAfter(sent, before, complete) };
}

/** Of what was just imported or attached the size is known only now. */
const hasNewDisks = ({ kind, desired }: VmUpdate, before: ConfigDraft) =>
  Object.entries(desired.disks ?? {}).some(
    ([slot, { volume, import_from }]) => (import_from || volume) && isToAttach(kind, before, { slot, volume }),
  );

interface Touched {
  readonly leaving: readonly LeavingSlot[];
  /** Slots whose lines must be said in full. */
  readonly takenBack: readonly string[];
  readonly removed: readonly string[];
  readonly isRunning: boolean;
  /** The drive that was emptied is the one to fill again. */
  readonly emptied: { readonly slot: string; readonly line: string } | null;
}

/** One call for all settings; what PVE made of them is read back where it may have made something of its own. */
async function reconfigure(context: VmUpdate, vm: GuestAddress, touched: Touched) {
  const { leaving, takenBack, removed: hidden, emptied, isRunning } = touched;
  const { kind, api, desired } = context;
  const edit = (edited: ConfigDraft) => {
    forgetOptions(edited, hidden);
    if (emptied) edited.set(emptied.slot, emptied.line);
    for (const { slot } of leaving.filter(({ isDeleted }) => !isDeleted)) removeSlot(edited, slot);
    const changed = changedSettings(context, takenBack);
    patchSettings(kind, edited, { changed, wanted: desired as Members, removed: hidden });
  };
  const first = await configOf(context, vm);
  const foreseen = api.draft(first.options);
  edit(foreseen);
  const present = api.draft(first.options);
  if (context.changes.has("cloud_init")) await clearWayForDrive(context, vm, present, foreseen);
  const isCleared = await vacateDrive(context, vm, { present, foreseen, isRunning });
  const { draft, intended } = await configure(context, vm, isCleared ? null : first, edit);
  const { set, delete: removed } = intended.draft.patch;
  const options = [...Object.keys(set), ...removed];
  if (isRunning) await regenerateCloudInit(context, vm, options);
  await deleteSlots(context, vm, draft, leaving);
  await restoreBootOrder(context, vm, intended, desired.boot_order);
  const isSent = options.length > 0;
  // What is pending then is asked for in any case, and includes the configuration.
  const waiting = isSent && isRunning ? await pendingOf(context, vm) : [];
  const read = isSent ? (await configOf(context, vm)).options : null;
  const now = read === null ? draft : api.draft(read);
  if (isSent || isCleared) await keepBootOrder(context, vm, now);
  const boot = waiting.find(({ key }) => key === "boot")?.pending ?? read?.["boot"];
  if (desired.boot_order === null && isBlank(boot) && !isBlank(first.options["boot"]))
    await sendPatch(context, vm, { set: {}, delete: ["boot"] });
  return { draft: now, sent: options };
}

/** An order without devices, which PVE leaves of one whose devices are removed: the VM would not boot from its disks. */
const isBlank = (boot: unknown): boolean => typeof boot === "string" && boot.trim() === "";

/**
 * PVE takes a drive that leaves, or makes way for another in its slot, out of the boot order that the VM runs with, and
 * writes the rest over an order that is pending (qemu-server: src/PVE/API2/Qemu.pm, `$update_vm_api`).
 */
async function keepBootOrder(context: VmUpdate, vm: GuestAddress, now: ConfigDraft): Promise<void> {
  const { boot_order } = context.desired;
  if (boot_order === undefined || boot_order?.some((device) => !now.has(device))) return;
  patchWired({ boot_order: settings.boot_order }, { boot_order }, now);
  await sendPatch(context, vm, now.patch);
}

export function changedSettings(context: VmUpdate, takenBack: readonly string[]): Members {
  const { kind, desired } = context;
  const changed = changedOnly(kind.attributes, priorWithText(context) as Members, desired as Members);
  const whole = Object.fromEntries(takenBack.map((slot) => [slot, desired.disks?.[slot]]));
  const more = takenBack.length === 0 ? changed : { ...changed, disks: { ...(changed["disks"] as object), ...whole } };
  const change = changed["cloud_init"] as Members | null | undefined;
  const text = textIn(desired);
  // The drive that would tell the storage is gone by then.
  const isElsewhere = change && change["slot"] !== undefined;
  if (isElsewhere)
    return { ...more, cloud_init: { ...change, storage: desired.cloud_init?.storage, ...textMember(text) } };
  if (!change || text === null) return more;
  // Whether there is text decides which drive is used, so it is passed on even where it stays the same.
  return { ...more, cloud_init: { ...change, ...textMember(text) } };
}

const textMember = (text: string | null) => (text === null ? {} : { user_data: text });

const priorWithText = ({ prior, privateState }: VmUpdate) => withImageAsText(prior, privateState.dataImage);

const textIn = ({ cloud_init: wanted }: VmUpdate["desired"]): string | null =>
  (wanted && textsOf(wanted, wanted).user_data) ?? null;

/** Where text is given no more, its image goes before PVE's own drive comes. */
async function dropText(context: VmUpdate, vm: GuestAddress, before: ConfigDraft) {
  const { prior, desired } = context;
  const isDropped = typeof priorWithText(context).cloud_init?.user_data === "string" && textIn(desired) === null;
  if (!isDropped) return null;
  const { slot, data_storage: storage, data_volume } = prior.cloud_init ?? {};
  const dropped = await discardData(context, vm, before, { storage });
  // A move to another node has emptied it already.
  const isEmpty = dropped === null && slot && before.has(slot) && fileOf(before, slot) === "none";
  // Another user who moved the VM has left the image behind, so nothing names it any more.
  const image = data_volume ?? someImage("local", vm.vmid);
  return isEmpty ? { slot, line: `${image},media=cdrom` } : dropped;
}

/**
 * `force` destroys the volume of whatever the call deletes, so it gets a call of its own. The volume of a slot that still waits
 * for a restart is only set aside (qemu-server: src/PVE/API2/Qemu.pm, `$update_vm_api`), and deleted after that.
 */
async function deleteSlots(context: VmUpdate, vm: GuestAddress, draft: ConfigDraft, leaving: readonly LeavingSlot[]) {
  const { kind, api } = context;
  const slots = leaving.filter(({ isDeleted, slot }) => isDeleted && draft.has(slot)).map(({ slot }) => slot);
  if (slots.length === 0) return;
  const volumes = slots.map((slot) => kind.volumeAt(draft, slot));
  await sendPatch(context, vm, { set: {}, delete: slots }, { force: true });
  const { unused } = kind.families;
  const now = api.draft((await configOf(context, vm)).options);
  const aside = now.slots(unused).filter((slot) => volumes.includes(kind.volumeAt(now, slot)));
  if (aside.length > 0) await sendPatch(context, vm, { set: {}, delete: aside }, { force: true });
}

/** The guest reads its new settings from the drive, which PVE otherwise writes again only when the VM starts. */
async function regenerateCloudInit(context: VmUpdate, vm: GuestAddress, sent: readonly string[]): Promise<void> {
  const { api, desired, signal } = context;
  const isTouched = sent.some((option) => cloudInitOption.test(option) || option === "name");
  if (!isTouched || !desired.cloud_init?.slot) return;
  const submit = () => api.qemu.regenerateCloudInit(vm, { signal });
  const operation = { what: `write the cloud-init drive of VM ${vm.vmid}`, submit, signal };
  await repeatableWrite(api, { write: () => api.operations.run(vm, operation), signal });
}
