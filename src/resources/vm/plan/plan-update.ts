import { type ConfigDraft, checkPrivileges, type Members, type Need, parseWired, patchWired, type Session } from "#kit";
import type { GuestAddress, GuestConfig } from "#pve";
import {
  changedOnly,
  hasVolumes,
  type Leaving,
  type LeavingSlot,
  leavingSlots,
  withReleased,
} from "../../guest/changes.ts";
import { acceptGrowth } from "../../guest/lifecycle/growth.ts";
import { powerWanted } from "../../guest/lifecycle/progress.ts";
import { slotMaps } from "../../guest/observe.ts";
import { checkProtection } from "../../guest/plan/checks/protection.ts";
import { checkSnapshots } from "../../guest/plan/checks/snapshots.ts";
import { fill } from "../../guest/plan/fill.ts";
import { guardRename } from "../../guest/plan/guards.ts";
import { keepSource } from "../../guest/plan/keep-source.ts";
import { updateNeeds } from "../../guest/plan/needs/guest-needs.ts";
import { planHa, statusUnderHa } from "../../guest/plan/plan-ha.ts";
import { planPlace } from "../../guest/plan/plan-place.ts";
import { planPower } from "../../guest/plan/plan-power.ts";
import { planReturningVolumes } from "../../guest/plan/returning-volumes.ts";
import { settings } from "../attributes.ts";
import { ownDrive } from "../blocks/cloud-init-drive.ts";
import { withImageAsText } from "../cloud-init-iso/texts.ts";
import type { VmPlan, VmState } from "../contexts.ts";
import { removeSlot } from "../slots.ts";
import { checkSlots } from "./checks/slots.ts";
import { checkChange } from "./checks.ts";
import { foreseeImage, planImage, settleImage, withTexts } from "./plan-data.ts";
import { planGateways, planMacs } from "./plan-outputs.ts";
import { checkChangePrivileges } from "./privileges.ts";

/** The plan of a change: in place, whatever it is, unless the VMID changes or another source is asked for. */
export async function planUpdate(context: VmPlan, prior: VmState): Promise<void> {
  const { privateState } = context;
  privateState.replacing = prior.vmid ?? null;
  await planPlace(context, prior);
  planReplacement(context, prior);
  acceptGrowth(context, prior);
  planHa(context);
  planStatus(context, prior);
  planUnfinished(context, prior);
  planImage(context);
  if (context.changes.size === 0) return;
  planGateways(context);
  const { api } = context;
  checkFinal(context, prior);
  if (api) await guardRename(context, api, prior);
  const leaving = leavingSlots(context, prior, context.planned);
  tellLeaving(context, prior, leaving);
  const needs = updateNeeds(context, prior, leaving.removed);
  const isRenamed = context.planned.template && !prior.template;
  if (isRenamed || context.planned.node !== prior.node) planOtherVolumes(context);
  const isForeseen = api && (await predictChange(context, api, { prior, leaving, needs }));
  if (!isForeseen) leaveOpen(context, prior);
}

/** Whatever the change may change, where the cluster could not be asked. */
function leaveOpen(context: VmPlan, prior: VmState): void {
  if (prior.status !== "stopped") context.setUnknown("pending");
  if (context.changes.has("networks")) context.setUnknown("mac_addresses");
  for (const output of ["ip_addresses", "ipv4_address", "ipv6_address", "unused_disks"] as const) {
    context.setUnknown(output);
  }
}

/**
 * A template's volumes get other names, where the storage can make base images of them; so do those of a VM that moves to
 * a node where a volume of that name is.
 */
function planOtherVolumes(context: VmPlan): void {
  const { config, planned } = context;
  for (const slot of Object.keys(planned.disks ?? {})) {
    if (!config.disks?.[slot]?.volume) context.setUnknown(["disks", slot, "volume"]);
  }
  if (planned.efi_disk && !config.efi_disk?.volume) context.setUnknown("efi_disk.volume");
  if (planned.tpm_state && !config.tpm_state?.volume) context.setUnknown("tpm_state.volume");
}

const changesSettings = ({ changes }: VmPlan) => [...changes].some((name) => name in settings || name === "node");

function planReplacement(context: VmPlan, prior: VmState): void {
  const { config } = context;
  const [before, after] = [prior.clone?.template, config.clone?.template];
  if (config.replace_on_source_change && before !== undefined && after && after !== before) {
    context.replace("clone.template", `The VM was made from ${before} and shall now be made from ${after}.`);
    return;
  }
  keepSource(context, prior);
}

/** Somebody else may have started or stopped it. */
function planStatus(context: VmPlan, prior: VmState): void {
  const power = powerWanted(context.config.power, context.privateState);
  if (power === "running" && prior.status !== "running" && !prior.template) context.set("status", "running");
  if (power === "stopped" && prior.status === "running") context.set("status", "stopped");
  const managed = context.changes.has("ha") ? statusUnderHa(context) : null;
  if (managed !== null && prior.status !== managed) context.set("status", managed);
}

/** The mark says that the creation ended early; that the VM is not replaced says that somebody wants to keep it. */
function planUnfinished(context: VmPlan, prior: VmState): void {
  if (context.privateState.mark === null) return;
  context.setUnknown("pending");
  context.report.warning(
    null,
    "VM is not complete",
    `The creation of VM ${prior.vmid} ended early. This apply completes it.`,
  );
}

/** What PVE fixes when it is made. */
function checkFinal({ config, report }: VmPlan, prior: VmState): void {
  if (prior.template && config.template === false) {
    report.error("template", "A template stays one", "It cannot be turned back into a VM. Clone it instead.");
  }
  if (!prior.template && config.template && prior.status === "running" && config.power !== "stopped") {
    report.error(
      "template",
      "The VM is running",
      'Stop it first (`power = "stopped"`): a running VM cannot become a template.',
    );
  }
  const fixed = [
    ["efi_disk", "type", prior.efi_disk?.type, config.efi_disk?.type],
    ["efi_disk", "pre_enrolled_keys", prior.efi_disk?.pre_enrolled_keys, config.efi_disk?.pre_enrolled_keys],
    ["tpm_state", "version", prior.tpm_state?.version, config.tpm_state?.version],
  ] as const;
  for (const [drive, setting, before, after] of fixed) {
    const isChanged =
      before !== null && before !== undefined && after !== null && after !== undefined && before !== after;
    if (isChanged) {
      report.error(
        [drive, setting],
        "Fixed when it was made",
        `It is ${String(before)} and cannot be changed. Remove the drive and add a new one.`,
      );
    }
  }
}

function tellLeaving(context: VmPlan, prior: VmState, leaving: Leaving): void {
  const { report } = context;
  const { removed, released, kept } = leaving;
  if (removed.some(({ map, isDeleted }) => hasVolumes(context.kind, map) && !isDeleted))
    context.setUnknown("unused_disks");
  for (const { map, slot, isDeleted } of removed) {
    const fate = !hasVolumes(context.kind, map)
      ? "is removed"
      : isDeleted
        ? "is destroyed with its data"
        : "is detached; its data is kept as an unused volume";
    report.warning([map], `${slot} leaves the VM`, `\`${slot}\` of VM ${prior.vmid} ${fate}.`);
  }
  for (const { map, slot } of released) {
    const text = `\`${slot}\` of VM ${prior.vmid} was there before it was configured: it stays, with the settings that it had then.`;
    report.warning([map], `${slot} goes back to what it was`, text);
  }
  // What came with the clone is expected to stay.
  const unexpected = kept.filter((slot) => !prior.inherited?.includes(slot));
  if (unexpected.length > 0) {
    const text = `Not configured on VM ${prior.vmid}, and left as they are: ${unexpected.join(", ")}.`;
    report.warning(null, "Slots that are left alone", text);
  }
  planInherited(context, prior, leaving);
}

/** A slot that came with the clone is inherited again once no line is about it. */
function planInherited(context: VmPlan, prior: VmState, { removed, released }: Leaving): void {
  const { changes, config, planned } = context;
  const emptied = slotMaps(settings).filter(
    ([map]) => (config as Members)[map] === null && changes.has(map as "disks"),
  );
  const freed = [
    ...released.map(({ slot }) => slot),
    ...emptied.flatMap(([map]) => Object.keys((planned as Members)[map] ?? {})),
  ];
  const before = (prior.inherited ?? []).filter((slot): slot is string => slot !== undefined);
  const gone = new Set(removed.map(({ slot }) => slot));
  const more = prior.clone ? freed.filter((slot) => !before.includes(slot)) : [];
  const inherited = [...before.filter((slot) => !gone.has(slot)), ...more];
  if (more.length > 0 || inherited.length < before.length) context.set("inherited", inherited);
}

interface Foreseen {
  readonly prior: VmState;
  readonly leaving: Leaving;
  readonly needs: readonly Need[];
}

/** Since it was read it may have been moved, and what was planned before that must be planned again. */
async function configNow(api: Session, vm: GuestAddress): Promise<GuestConfig | null> {
  const there = await api.qemu.findConfig(vm);
  if (there !== null) return there;
  api.inventory.forget();
  const moved = await api.inventory.locate(vm.vmid);
  return moved && api.qemu.findConfig({ node: moved.node, vmid: vm.vmid });
}

/** Returns whether it could be foreseen. */
async function predictChange(context: VmPlan, api: Session, { prior, leaving, needs }: Foreseen): Promise<boolean> {
  if (prior.vmid === undefined || prior.node === undefined) return false;
  const vm = { node: prior.node, vmid: prior.vmid };
  const found = await configNow(api, vm);
  if (found === null) return false;
  const [before, after] = [api.draft(found.options), api.draft(found.options)];
  await planReturningVolumes(context, api, prior, before);
  for (const { slot } of leaving.removed) removeSlot(after, slot);
  const past = withImageAsText(prior, context.privateState.dataImage) as Members;
  patchWired(settings, changedOnly(past, withReleased(withTexts(context), leaving.released)), after);
  planBootOrder(context, after);
  const isStarted = prior.status !== "running" && context.planned.status === "running";
  if (changesSettings(context) || isStarted)
    await predictSettings(context, api, { vm, leaving: leaving.removed, before, after, needs });
  else await checkPrivileges({ report: context.report, api, needs });
  await planPower(context, api, { guest: vm, prior, before, after });
  return true;
}

/** PVE takes a device that goes out of the order, and refuses an order with one that is not there. */
function planBootOrder(context: VmPlan, after: ConfigDraft): void {
  const order = context.planned.boot_order;
  if (context.config.boot_order !== null || !order?.some((device) => device !== undefined && !after.has(device)))
    return;
  const rest = order.filter((device): device is string => device !== undefined && after.has(device));
  context.set("boot_order", rest.length === 0 ? null : rest);
  patchWired({ boot_order: settings.boot_order }, { boot_order: rest.length === 0 ? null : rest }, after);
}

interface Settings {
  readonly vm: GuestAddress;
  readonly leaving: readonly LeavingSlot[];
  readonly before: ConfigDraft;
  readonly after: ConfigDraft;
  readonly needs: readonly Need[];
}

async function predictSettings(context: VmPlan, api: Session, change: Settings): Promise<void> {
  const { vm, leaving, before, after, ...more } = change;
  const { config, planned } = context;
  const needs = [...more.needs, ...(await foreseeImage(context, api, after))];
  checkSlots(
    context,
    before,
    leaving.map(({ slot }) => slot),
  );
  checkProtection(context, { before, after });
  await checkSnapshots(context, api, { guest: vm, before, leaving });
  await checkChange(context, api, { node: planned.node, before, after });
  await checkChangePrivileges(context, api, { before, after, from: "itself", needs });
  const predicted = parseWired(settings, after);
  // A disc took the place of a drive that came with the template.
  const isDisplaced = ownDrive(before) !== ownDrive(after) && !context.changes.has("cloud_init");
  if (config.cloud_init === null && isDisplaced) context.setUnknown("cloud_init");
  fill(context, {
    attributes: settings,
    path: [],
    config: config as Members,
    planned: context.planned as Members,
    predicted,
  });
  settleImage(context, after);
  const { changes } = context;
  const inherited = (context.planned.inherited ?? []).filter(
    (slot): slot is string => slot !== undefined && after.has(slot),
  );
  context.set("inherited", inherited);
  if (changes.has("disks") || changes.has("efi_disk") || changes.has("tpm_state")) planVolumes(context);
  if (changes.has("networks")) planMacs(context, after, (slot) => !before.has(slot) && !config.networks?.[slot]?.mac);
}

/** A volume that is replaced by another stays behind as an unused one. */
function planVolumes(context: VmPlan): void {
  const { prior, planned } = context;
  const isReplaced = Object.entries(planned.disks ?? {}).some(([slot, disk]) => {
    const before = prior?.disks?.[slot];
    return disk?.volume !== before?.volume && (before !== undefined || disk?.volume !== undefined);
  });
  if (isReplaced) context.setUnknown("unused_disks");
}
