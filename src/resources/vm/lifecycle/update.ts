import { type ConfigDraft, Failure, type Members, patchWired, step } from "#kit";
import type { GuestAddress } from "#pve";
import { changedOnly, type LeavingSlot, leavingSlots, withReleased } from "../../guest/changes.ts";
import { isSameGuest } from "../../guest/identity.ts";
import { type FoundGuest, findGuest } from "../../guest/lifecycle/find.ts";
import { arrangeHa, untilObeyed } from "../../guest/lifecycle/ha.ts";
import { migrateGuest } from "../../guest/lifecycle/migrate.ts";
import { startGuest } from "../../guest/lifecycle/power.ts";
import { runOf } from "../../guest/run.ts";
import { settings } from "../attributes.ts";
import { textsOf, withImageAsText } from "../cloud-init-iso/texts.ts";
import type { VmUpdate } from "../contexts.ts";
import { cloudInitOption } from "../live-changes.ts";
import { removeSlot } from "../slots.ts";
import { unreadAfter } from "../unread.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { arrangeData, discardData, ejectLocalData } from "./cloud-init-data.ts";
import { configure, sendPatch } from "./configure.ts";
import { noteLeaving } from "./detached.ts";
import { arrangeDrives, refuseLargeImages } from "./disks.ts";
import { finishVm } from "./finish.ts";
import { clearWayForDrive, removeLeftDrive, vacateDrive } from "./own-drive.ts";
import { endProtection } from "./protection.ts";
import { rememberConfigured } from "./remember.ts";
import { handlePending, mustStop, startAgain, stopForChange, tellRestart } from "./restart.ts";
import { listen } from "./settle.ts";
import { powerWanted } from "./unfinished.ts";
import { attachWaiting, takeBackWaiting } from "./waiting-drives.ts";

/** Changes a VM where it stands, running or not. */
export async function updateVm(given: VmUpdate): Promise<void> {
  const { api, id, prior, changes } = given;
  const { removed: leaving, released } = leavingSlots(given, prior, given.desired);
  const desired = withReleased(given.desired, released);
  const context = { ...given, desired };
  const found = await findOwn(context);
  let vm: GuestAddress = { node: found.node, vmid: id.vmid };
  let before = api.draft(found.config.options);
  let isRunning = found.status === "running";
  // First of all: what a stopped VM is given takes effect at once.
  if (isRunning && desired.power === "stopped") {
    before = await stopForChange(context, vm);
    isRunning = false;
  }
  if (changes.has("node") && desired.node !== undefined && desired.node !== vm.node) {
    before = await ejectLocalData(context, vm, before);
    vm = await migrateGuest(context, vm, desired.node);
  }
  const isStopped =
    isRunning && (await mustStop(context, vm, before, { leaving, changed: changedSettings(context, []) }));
  if (isStopped) before = await stopForChange(context, vm);
  const changing = change(context, vm, { before, leaving, isRunning: isRunning && !isStopped });
  const made = await changing.catch(async (reason: unknown) => {
    if (isStopped) await startAgain(context, vm);
    throw reason;
  });
  if (changes.has("ha")) {
    await arrangeHa(context, vm, prior.ha);
    isRunning = await untilObeyed(context, vm, isRunning && !isStopped);
  }
  await finishUpdate(context, vm, { ...made, isStopped, isRunning, was: found.status });
}

async function findOwn(context: VmUpdate): Promise<FoundGuest> {
  const { kind, id, privateState } = context;
  const found = await findGuest(context, id.vmid);
  if (found === null || found.config === null) {
    throw new Failure("VM cannot be reached", `VM ${id.vmid} is gone, or its node does not answer.`);
  }
  if (privateState.fingerprint && !isSameGuest(privateState.fingerprint, kind.fingerprint(found.config.options))) {
    throw new Failure(
      `VMID ${id.vmid} is another VM now`,
      `"${found.config.name ?? `VM ${id.vmid}`}" was not created here and is left alone.`,
    );
  }
  return found;
}

interface Standing {
  readonly before: ConfigDraft;
  readonly leaving: readonly LeavingSlot[];
  readonly isRunning: boolean;
}

/** Settings, drives, place and kind; not the power. */
async function change(context: VmUpdate, vm: GuestAddress, { before, leaving, isRunning }: Standing) {
  const { desired, changes, privateState, id } = context;
  await endProtection(context, vm, before);
  // Before the settings: a line that waits for a restart would keep showing the size and the volume it had.
  const takenBack = isRunning ? await takeBackWaiting(context, vm, before) : [];
  if (!isRunning) await attachWaiting(context, vm, before);
  await arrangeDrives(context, vm, before);
  const { draft, sent } = await step(context.log, "config", { vmid: id.vmid }, async () =>
    reconfigure(context, vm, { leaving, takenBack, isRunning, emptied: await dropText(context, vm, before) }),
  );
  privateState.fingerprint = context.kind.fingerprint(draft.config);
  noteLeaving(privateState, leaving, before, draft);
  if (hasNewDisks(desired, before)) {
    refuseLargeImages(desired, before, draft);
    await arrangeDrives(context, vm, draft);
  }
  const complete = await arrangeData(context, vm, draft, { isRunning, isFresh: false });
  await removeLeftDrive(context, vm, before, complete);
  if (changes.has("pool")) await context.api.departures.during(() => changePool(context));
  if (changes.has("template") && desired.template) await makeTemplate(context, vm);
  return { draft: complete, unread: unreadAfter(sent, before, complete) };
}

interface Finishing {
  readonly draft: ConfigDraft;
  readonly unread: readonly string[];
  /** Whether it was stopped for the change. */
  readonly isStopped: boolean;
  /** Whether it runs, or did until it was stopped for the change. */
  readonly isRunning: boolean;
  readonly was: string;
}

/** Power, and what waits for it. */
async function finishUpdate(context: VmUpdate, vm: GuestAddress, made: Finishing): Promise<void> {
  const { api, desired, id, privateState } = context;
  const { draft, isStopped, isRunning, was } = made;
  const isWanted = powerWanted(desired.power, privateState) === "running";
  const isStarted = isStopped || (isWanted && !isRunning && !desired.template);
  if (isStarted) await startGuest(context, vm);
  if (isStopped) tellRestart(context, vm, "what cannot be changed while it runs");
  const isUp = isStarted || isRunning;
  const { pending, removed, isRestarted } =
    isUp && !isStarted ? await handlePending(context, vm, made) : { pending: [], removed: [], isRestarted: false };
  const hasBooted = isUp && (isStarted || isRestarted || was !== "running");
  const addresses = hasBooted ? await listen(context, vm, draft) : null;
  rememberConfigured(context);
  if (privateState.mark !== null) await finishVm(context, vm, draft, false);
  privateState.isPending = pending.length > 0;
  const status = isUp ? "running" : was === "running" ? "stopped" : was;
  const hint = { node: vm.node, status, pool: desired.pool || null, pending, removed };
  runOf(api).readHints.set(id.vmid, { ...hint, ...(addresses && { addresses }) });
}

/** Of what was just imported or attached the size is known only now. */
const hasNewDisks = ({ disks }: VmUpdate["desired"], before: ConfigDraft) =>
  Object.entries(disks ?? {}).some(([slot, disk]) => !before.has(slot) && (disk.import_from || disk.volume));

interface Touched {
  readonly leaving: readonly LeavingSlot[];
  /** Slots whose lines must be said in full. */
  readonly takenBack: readonly string[];
  readonly isRunning: boolean;
  /** The drive that was emptied is the one to fill again. */
  readonly emptied: { readonly slot: string; readonly line: string } | null;
}

/** One call for all settings; what PVE made of them is read back where it may have made something of its own. */
async function reconfigure(context: VmUpdate, vm: GuestAddress, touched: Touched) {
  const { leaving, takenBack, emptied, isRunning } = touched;
  const { api, desired, signal } = context;
  const edit = (edited: ConfigDraft) => {
    if (emptied) edited.set(emptied.slot, emptied.line);
    for (const { slot } of leaving.filter(({ isDeleted }) => !isDeleted)) removeSlot(edited, slot);
    patchWired(settings, changedSettings(context, takenBack), edited);
  };
  const first = await api.qemu.getConfig(vm, {}, { signal });
  const foreseen = api.draft(first.options);
  edit(foreseen);
  const present = api.draft(first.options);
  if (context.changes.has("cloud_init")) await clearWayForDrive(context, vm, present, foreseen);
  const isCleared = await vacateDrive(context, vm, { present, foreseen, isRunning });
  const { draft, meant } = await configure(context, vm, isCleared ? null : first, edit);
  const { set, delete: removed } = meant.draft.patch;
  const options = [...Object.keys(set), ...removed];
  if (isRunning) await regenerateCloudInit(context, vm, options);
  await deleteSlots(context, vm, draft, leaving);
  await restoreBootOrder(context, vm, meant, desired.boot_order);
  const isSent = options.length > 0;
  const now = isSent ? api.draft((await api.qemu.getConfig(vm, {}, { signal })).options) : draft;
  return { draft: now, sent: options };
}

function changedSettings(context: VmUpdate, takenBack: readonly string[]): Members {
  const { desired } = context;
  const changed = changedOnly(priorWithText(context) as Members, desired as Members);
  const whole = Object.fromEntries(takenBack.map((slot) => [slot, desired.disks?.[slot]]));
  const more = takenBack.length === 0 ? changed : { ...changed, disks: { ...(changed["disks"] as object), ...whole } };
  const change = changed["cloud_init"] as Members | null | undefined;
  const text = textIn(desired);
  // The drive that would tell the storage is gone by then.
  const isElsewhere = change && change["slot"] !== undefined;
  if (isElsewhere)
    return { ...more, cloud_init: { ...change, storage: desired.cloud_init?.storage, ...textMember(text) } };
  if (!change || text === null) return more;
  // Whether there is text decides what drive there shall be, so it is said even where it stays the same.
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
  return isDropped ? discardData(context, vm, before, { storage: prior.cloud_init?.data_storage }) : null;
}

/** `force` destroys the volume of whatever the call deletes, so it gets a call of its own. */
async function deleteSlots(context: VmUpdate, vm: GuestAddress, draft: ConfigDraft, leaving: readonly LeavingSlot[]) {
  const slots = leaving.filter(({ isDeleted, slot }) => isDeleted && draft.has(slot)).map(({ slot }) => slot);
  await sendPatch(context, vm, { set: {}, delete: slots }, { force: true });
}

/** The guest reads its new settings from the drive, which PVE otherwise writes again only when the VM starts. */
async function regenerateCloudInit(context: VmUpdate, vm: GuestAddress, sent: readonly string[]): Promise<void> {
  const { api, desired, signal } = context;
  const isTouched = sent.some((option) => cloudInitOption.test(option) || option === "name");
  if (!isTouched || !desired.cloud_init?.slot) return;
  const submit = () => api.qemu.regenerateCloudInit(vm, { signal });
  await api.operations.run(vm, { what: `write the cloud-init drive of VM ${vm.vmid}`, submit, signal });
}

async function changePool({ api, id, desired, prior, signal }: VmUpdate): Promise<void> {
  const vms = [id.vmid];
  if (desired.pool) await api.pools.update(desired.pool, { vms, "allow-move": true }, { signal });
  else if (prior.pool) await api.pools.update(prior.pool, { vms, delete: true }, { signal });
  api.inventory.forget();
}

async function makeTemplate({ api, signal }: VmUpdate, vm: GuestAddress): Promise<void> {
  const submit = () => api.qemu.makeTemplate(vm, { signal });
  await api.operations.run(vm, { what: `make VM ${vm.vmid} a template`, submit, signal });
}
