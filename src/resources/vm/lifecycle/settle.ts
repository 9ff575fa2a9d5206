import { type ConfigDraft, parseDuration, patchWired, step } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import { stopGrace } from "../../guest/grace.ts";
import { arrangeHa } from "../../guest/lifecycle/ha.ts";
import { migrateGuest } from "../../guest/lifecycle/migrate.ts";
import { pendingOptions } from "../../guest/lifecycle/pending.ts";
import { startGuest, stopGuest } from "../../guest/lifecycle/power.ts";
import { resumedState } from "../../guest/lifecycle/resumed.ts";
import { markOf, withMark, withoutMark } from "../../guest/mark.ts";
import { runOf } from "../../guest/run.ts";
import { settings } from "../attributes.ts";
import type { VmChange, VmSettle } from "../contexts.ts";
import { macAddresses } from "../outputs.ts";
import { waitForAddresses } from "./agent.ts";
import { restoreBootOrder } from "./boot-order.ts";
import { arrangeData, ejectLocalData } from "./cloud-init-data.ts";
import { configure } from "./configure.ts";
import { arrangeDrives, refuseLargeImages } from "./disks.ts";
import { finishVm } from "./finish.ts";
import { removeLeftDrive, vacateDrive } from "./own-drive.ts";
import { withholdProtection } from "./protection.ts";
import { rememberConfigured } from "./remember.ts";
import { type Progress, withProgress } from "./unfinished.ts";

/** Makes a new VM what it shall be: settings, disks, place, and at last power. A failure leaves a tainted VM. */
export function settleVm(context: VmSettle): Promise<void> {
  return withProgress(context, (progress) => complete(context, progress));
}

async function complete(context: VmSettle, progress: Progress): Promise<void> {
  const { api, id, desired, handover: made, log } = context;
  let vm: GuestAddress = { node: made.node, vmid: id.vmid };
  const begun = await resumedState(context, vm);
  const { draft, isProtected } = await step(log, "config", { vmid: id.vmid }, () =>
    configureNew(context, vm, made.config, begun.isRunning),
  );
  context.privateState.fingerprint = context.kind.fingerprint(draft.config);
  rememberConfigured(context);
  progress.add("configured");
  let current = api.draft(await optionsNow(context, vm, draft));
  refuseLargeImages(desired, null, current);
  await arrangeDrives(context, vm, current);
  progress.add("disks moved and grown as configured", desired.disks !== null && desired.disks !== undefined);
  if (desired.node !== undefined && desired.node !== vm.node) {
    current = await ejectLocalData(context, vm, current);
    vm = await migrateGuest(context, vm, desired.node);
    progress.add(`migrated to ${vm.node}`);
  }
  const filled = await arrangeData(context, vm, current, { ...begun, ...made });
  await removeLeftDrive(context, vm, current, filled);
  if (desired.template && !made.config.isTemplate) await makeTemplate(context, vm);
  await arrangeHa(context, vm, begun.ha);
  const isRunning = await bringUp(context, vm, begun.isRunning);
  progress.add("started", isRunning);
  const addresses = isRunning ? await listen(context, vm, current) : null;
  runOf(api).readHints.set(id.vmid, {
    node: vm.node,
    status: isRunning ? "running" : "stopped",
    pool: desired.pool ?? null,
    pending: [],
    ...(addresses && { addresses }),
  });
  await finishVm(context, vm, current, isProtected);
}

/** One call: devices and settings together, the boot order checked by PVE against all of it. The mark stays. */
async function configureNew(
  context: VmSettle,
  vm: GuestAddress,
  made: GuestConfig,
  isRunning: boolean,
): Promise<{ draft: ConfigDraft; isProtected: boolean }> {
  const { api, desired } = context;
  const mark = markOf(made.description);
  let isProtected = false;
  const edit = (edited: ConfigDraft) => {
    const text = String(edited.raw("description") ?? "");
    edited.set("description", withoutMark(text) || null);
    patchWired(settings, desired, edited);
    // Without a mark it is somebody's VM that was adopted, and keeps what protection it has.
    if (!mark) return;
    edited.set("description", withMark(String(edited.raw("description") ?? ""), mark));
    isProtected = withholdProtection(edited) || isProtected;
  };
  const foreseen = api.draft(made.options);
  edit(foreseen);
  const isCleared = await vacateDrive(context, vm, { present: api.draft(made.options), foreseen, isRunning });
  const { draft, meant } = await configure(context, vm, isCleared ? null : made, edit);
  await restoreBootOrder(context, vm, meant, desired.boot_order);
  return { draft, isProtected };
}

/** How large an imported or attached disk is turns out only afterwards; everything else the draft knows. */
async function optionsNow({ api, desired, signal }: VmSettle, vm: GuestAddress, draft: ConfigDraft) {
  const isOpen = Object.values(desired.disks ?? {}).some((disk) => (disk.import_from || disk.volume) && disk.size);
  return isOpen ? (await api.qemu.getConfig(vm, {}, { signal })).options : draft.config;
}

async function makeTemplate({ api, signal, log }: VmSettle, vm: GuestAddress): Promise<void> {
  const submit = () => api.qemu.makeTemplate(vm, { signal });
  await step(log, "template", { vmid: vm.vmid }, () =>
    api.operations.run(vm, { what: `make VM ${vm.vmid} a template`, submit, signal }),
  );
}

/** Where a run that was cut off has started the VM already, it is enough that nothing waits for another start. */
async function bringUp(context: VmSettle, vm: GuestAddress, isRunning: boolean): Promise<boolean> {
  const { desired } = context;
  const isKeptDown = desired.ha?.state === "stopped" || desired.ha?.state === "disabled";
  const isWanted = !desired.template && !isKeptDown && (desired.power === null || desired.power === "running");
  const isStale = isRunning && (!isWanted || (await pendingOptions(context, vm)).pending.length > 0);
  if (isStale) await stopGuest(context, vm, stopGrace(desired));
  if (isWanted && (!isRunning || isStale)) await startGuest(context, vm);
  return isWanted;
}

/** Waits for the guest's address where that was asked for; that it does not come is worth a warning, not a failure. */
export async function listen(
  { api, desired, report, signal, log }: VmChange,
  vm: GuestAddress,
  draft: ConfigDraft,
): Promise<Record<string, string[]> | null> {
  const limitMs = desired.agent?.wait ? (parseDuration(desired.agent.wait) ?? 0) : 0;
  if (limitMs === 0) return null;
  const found = await step(log, "agent", { vmid: vm.vmid }, () =>
    waitForAddresses(api, vm, macAddresses(draft), { limitMs, signal }),
  );
  if (found === null) {
    report.warning(
      "agent.wait",
      "No address yet",
      `The agent of VM ${vm.vmid} told none within ${desired.agent?.wait}.`,
    );
  }
  return found;
}
