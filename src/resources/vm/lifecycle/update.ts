import { type ConfigDraft, Failure, type Members, patchWired, pathOfOption, step } from "#kit";
import type { VmAddress } from "#pve";
import { attributes, settings } from "../attributes.ts";
import { changedOnly, type LeavingSlot, leavingSlots } from "../changes.ts";
import { textsOf, withImageAsText } from "../cloud-init-iso/texts.ts";
import type { VmUpdate } from "../contexts.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { arrangeData, discardData, ejectLocalData } from "./cloud-init-data.ts";
import { configure, sendPatch } from "./configure.ts";
import { arrangeDrives } from "./disks.ts";
import { findVm } from "./find.ts";
import { arrangeHa, untilObeyed } from "./ha-resource.ts";
import { fingerprintOf, isSameVm } from "./identity.ts";
import { migrateVm } from "./migrate.ts";
import { clearWayForDrive, removeLeftDrive } from "./own-drive.ts";
import { pendingOptions } from "./pending.ts";
import { startVm, stopVm } from "./power.ts";
import { rememberConfigured } from "./remember.ts";
import { runOf } from "./run.ts";
import { listen } from "./settle.ts";
import { takeBackWaiting } from "./waiting-drives.ts";

const restartGraceMs = 60_000;

/** Changes a VM where it stands, running or not. */
export async function updateVm(context: VmUpdate): Promise<void> {
  const { api, id, desired, prior, changes, privateState, signal } = context;
  const found = await findVm(api, id.vmid, signal);
  if (found === null || found.config === null) {
    throw new Failure("VM cannot be reached", `VM ${id.vmid} is gone, or its node does not answer.`);
  }
  if (privateState.fingerprint && !isSameVm(privateState.fingerprint, fingerprintOf(found.config.options))) {
    throw new Failure(
      `VMID ${id.vmid} is another VM now`,
      `"${found.config.name ?? `VM ${id.vmid}`}" was not created here and is left alone.`,
    );
  }
  let vm: VmAddress = { node: found.node, vmid: id.vmid };
  let isRunning = found.status === "running";
  const before = api.draft(found.config.options);
  if (changes.has("node") && desired.node !== undefined && desired.node !== vm.node) {
    await ejectLocalData(context, vm, before);
    vm = await migrateVm(context, vm, desired.node);
  }
  // Before the settings: a line that waits for a restart would keep showing the size and the volume it had.
  const takenBack = isRunning ? await takeBackWaiting(context, vm, before) : [];
  await arrangeDrives(context, vm, before);
  const leaving = leavingSlots(prior, desired, privateState.slots);
  const draft = await step(context.log, "config", { vmid: id.vmid }, async () =>
    reconfigure(context, vm, { leaving, takenBack, emptied: await dropText(context, vm, before) }),
  );
  privateState.fingerprint = fingerprintOf(draft.config);
  if (hasImports(desired)) await arrangeDrives(context, vm, draft);
  const complete = await arrangeData(context, vm, draft, { isRunning, isFresh: false });
  await removeLeftDrive(context, vm, before, complete);
  if (changes.has("pool")) await api.departures.during(() => changePool(context));
  if (changes.has("template") && desired.template) await makeTemplate(context, vm);
  if (changes.has("ha")) {
    await arrangeHa(context, vm, prior.ha);
    isRunning = await untilObeyed(context, vm, isRunning);
  }
  isRunning = await changePower(context, vm, isRunning);
  const { pending, isRestarted } = isRunning ? await handlePending(context, vm) : { pending: [], isRestarted: false };
  const isStarted = isRestarted || (isRunning && found.status !== "running");
  const addresses = isStarted ? await listen(context, vm, draft) : null;
  rememberConfigured(context);
  const status = isRunning ? "running" : found.status === "running" ? "stopped" : found.status;
  const learnt = { node: vm.node, status, pool: desired.pool || null, pending };
  runOf(api).learnt.set(id.vmid, { ...learnt, ...(addresses && { addresses }) });
}

/** Of what was just imported the size is known only now. */
const hasImports = ({ disks }: VmUpdate["desired"]) => Object.values(disks ?? {}).some((disk) => disk.import_from);

interface Touched {
  readonly leaving: readonly LeavingSlot[];
  /** Slots whose lines must be said in full. */
  readonly takenBack: readonly string[];
  /** The drive that was emptied is the one to fill again. */
  readonly emptied: { readonly slot: string; readonly line: string } | null;
}

/** One call for all settings; what PVE made of them is read back where it may have made something of its own. */
async function reconfigure(context: VmUpdate, vm: VmAddress, touched: Touched): Promise<ConfigDraft> {
  const { leaving, takenBack, emptied } = touched;
  const { api, desired, signal } = context;
  const edit = (edited: ConfigDraft) => {
    if (emptied) edited.set(emptied.slot, emptied.line);
    for (const { slot } of leaving.filter(({ isDeleted }) => !isDeleted)) removeSlot(edited, slot);
    patchWired(settings, changedSettings(context, takenBack), edited);
  };
  const now = await api.qemu.getConfig(vm, {}, { signal });
  if (context.changes.has("cloud_init")) {
    const [present, foreseen] = [api.draft(now.options), api.draft(now.options)];
    edit(foreseen);
    await clearWayForDrive(context, vm, present, foreseen);
  }
  const { draft, before, sent } = await configure(context, vm, now, edit);
  await regenerateCloudInit(context, vm, Object.keys(sent.set));
  await deleteSlots(context, vm, draft, leaving);
  await restoreBootOrder(context, vm, draft, before, desired.boot_order);
  const isSent = Object.keys(sent.set).length + sent.delete.length > 0;
  return isSent ? api.draft((await api.qemu.getConfig(vm, {}, { signal })).options) : draft;
}

function changedSettings(context: VmUpdate, takenBack: readonly string[]): Members {
  const { desired } = context;
  const changed = changedOnly(priorWithText(context) as Members, desired as Members);
  const whole = Object.fromEntries(takenBack.map((slot) => [slot, desired.disks?.[slot]]));
  const more = takenBack.length === 0 ? changed : { ...changed, disks: { ...(changed["disks"] as object), ...whole } };
  const { cloud_init: change } = changed;
  const text = textIn(desired);
  if (!change || text === null) return more;
  // Whether there is text decides what drive there shall be, so it is said even where it stays the same.
  return { ...more, cloud_init: { ...change, user_data: text } };
}

/** Whose `cloud_init` is not configured any more keeps what its write-only text became. */
const priorWithText = ({ prior, config, privateState }: VmUpdate) =>
  config.cloud_init === null ? prior : withImageAsText(prior, privateState.dataImage);

const textIn = ({ cloud_init: wanted }: VmUpdate["desired"]): string | null =>
  (wanted && textsOf(wanted, wanted).user_data) ?? null;

/** Where text is given no more, its image goes before PVE's own drive comes. */
async function dropText(context: VmUpdate, vm: VmAddress, before: ConfigDraft) {
  const { prior, desired } = context;
  const isDropped = typeof priorWithText(context).cloud_init?.user_data === "string" && textIn(desired) === null;
  return isDropped ? discardData(context, vm, before, { storage: prior.cloud_init?.data_storage }) : null;
}

function removeSlot(draft: ConfigDraft, slot: string): void {
  draft.set(slot, null);
  if (slot.startsWith("net")) draft.set(slot.replace("net", "ipconfig"), null);
}

/** `force` destroys the volume of whatever the call deletes, so it gets a call of its own. */
async function deleteSlots(context: VmUpdate, vm: VmAddress, draft: ConfigDraft, leaving: readonly LeavingSlot[]) {
  const slots = leaving.filter(({ isDeleted, slot }) => isDeleted && draft.has(slot)).map(({ slot }) => slot);
  await sendPatch(context, vm, { set: {}, delete: slots }, { force: true });
}

const cloudInitOption = /^(ci(user|password|type|upgrade|custom)|nameserver|searchdomain|sshkeys|ipconfig\d+|name)$/;

/** The guest reads its new settings from the drive, which PVE otherwise writes again only when the VM starts. */
async function regenerateCloudInit(context: VmUpdate, vm: VmAddress, sent: readonly string[]): Promise<void> {
  const { api, prior, desired, signal } = context;
  const isTouched = sent.some((option) => cloudInitOption.test(option));
  if (!isTouched || prior.status !== "running" || !desired.cloud_init?.slot) return;
  const submit = () => api.qemu.regenerateCloudInit(vm, { signal });
  await api.operations.run(vm, { what: `write the cloud-init drive of VM ${vm.vmid}`, submit, signal });
}

async function changePool({ api, id, desired, prior, signal }: VmUpdate): Promise<void> {
  const vms = [id.vmid];
  if (desired.pool) await api.pools.update(desired.pool, { vms, "allow-move": true }, { signal });
  else if (prior.pool) await api.pools.update(prior.pool, { vms, delete: true }, { signal });
  api.inventory.forget();
}

async function makeTemplate({ api, signal }: VmUpdate, vm: VmAddress): Promise<void> {
  const submit = () => api.qemu.makeTemplate(vm, { signal });
  await api.operations.run(vm, { what: `make VM ${vm.vmid} a template`, submit, signal });
}

async function changePower(context: VmUpdate, vm: VmAddress, isRunning: boolean): Promise<boolean> {
  const { power, template } = context.desired;
  if (power === "running" && !isRunning && !template) {
    await startVm(context, vm);
    return true;
  }
  if (power === "stopped" && isRunning) {
    await stopVm(context, vm, restartGraceMs);
    return false;
  }
  return isRunning;
}

/** PVE says what could not be changed live; no table here does. */
async function handlePending(context: VmUpdate, vm: VmAddress): Promise<{ pending: string[]; isRestarted: boolean }> {
  const { api, desired, report, signal } = context;
  const pending = await pendingOptions(api, vm, signal);
  if (pending.length === 0) return { pending, isRestarted: false };
  if (desired.restart_policy === "when_needed") {
    await stopVm(context, vm, restartGraceMs);
    await startVm(context, vm);
    return { pending: [], isRestarted: true };
  }
  const names = pending.map((option) => pathOfOption(attributes, option)?.join(".") ?? option);
  report.warning(
    null,
    "A restart is needed",
    `VM ${vm.vmid} keeps running with its old settings until it is restarted: ${[...new Set(names)].join(", ")}. Restart it, or set \`restart_policy = "when_needed"\`.`,
  );
  return { pending, isRestarted: false };
}
