import { type ConfigDraft, type Members, patchWired } from "#kit";
import type { PlanSteps } from "../../guest/kind.ts";
import { planGateways } from "../../guest/plan/plan-addresses.ts";
import { settings } from "../attributes.ts";
import { unversionedMachines } from "../blocks/machine.ts";
import { withImageAsText } from "../cloud-init-iso/texts.ts";
import type { VmPlan, VmState } from "../contexts.ts";
import { checkSlots } from "./checks/slots.ts";
import { checkChange } from "./checks.ts";
import { changeNeeds } from "./needs/change-needs.ts";
import { privilegeOfOption } from "./needs/option-privileges.ts";
import { foreseeImage, planImage, settleImage, withTexts } from "./plan-data.ts";
import { planImport } from "./plan-import.ts";
import { refuseReserved } from "./reserved.ts";

/** The steps of a plan that only VMs have. */
export const vmPlanSteps: PlanSteps = {
  planSource: (context, api) => planImport(context as VmPlan, api),
  begin: (context) => {
    planMachine(context as VmPlan);
    planImage(context as VmPlan);
  },
  adjust: planGateways,
  checkFixed: (context, prior) => checkFixed(context as VmPlan, prior as VmState),
  wanted: (context) => withTexts(context as VmPlan),
  past: (context, prior) => withImageAsText(prior as VmState, (context as VmPlan).privateState.dataImage) as Members,
  planDisplaced: (context) => planDisplaced(context as VmPlan),
  adjustDraft: (context, after) => planBootOrder(context as VmPlan, after),
  predictData: (context, api, after) => foreseeImage(context as VmPlan, api, after),
  async check(context, api, change, leaving) {
    checkSlots(context as VmPlan, change.before, leaving);
    await checkChange(context as VmPlan, api, change);
  },
  privilegeOf: privilegeOfOption,
  needsOf: (context, change, zones) => changeNeeds(context as VmPlan, change, zones),
  refuseReserved: (context, api, change) => refuseReserved(context as VmPlan, api, change),
  unpredictable: (context, before, after) => unpredictable(context as VmPlan, before, after),
  afterFill: (context, after) => settleImage(context as VmPlan, after),
};

/** `q35` in the state stands for any version, so that one that is configured is a change. */
function planMachine(context: VmPlan): void {
  const { config, prior, planned } = context;
  const wanted = config.machine?.type;
  if (!wanted || unversionedMachines.includes(wanted) || !planned.machine || wanted === prior?.machine?.type) return;
  context.set(["machine", "type"], wanted);
}

/** Settings of volumes that cannot be changed after the creation. */
function checkFixed({ config, report }: VmPlan, prior: VmState): void {
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

/** A disc takes the slot of a cloud-init drive that is there and that no line configures. One that goes back to it is refused. */
function planDisplaced(context: VmPlan): void {
  const { config, planned, prior } = context;
  const slot = planned.cloud_init?.slot;
  const isThere = slot !== undefined && slot === prior?.cloud_init?.slot;
  if (config.cloud_init !== null || !slot || !isThere || !(slot in (config.cdroms ?? {}))) return;
  const ofDrive = ["slot", "storage", "data_storage", "data_volume"];
  const isAll = Object.entries(planned.cloud_init ?? {}).every(
    ([member, value]) => value === null || ofDrive.includes(member),
  );
  if (isAll) context.set("cloud_init", null);
  else for (const member of ofDrive) context.set(["cloud_init", member], null);
}

/** PVE removes a removed device from the boot order, and refuses an order with a device that does not exist. */
function planBootOrder(context: VmPlan, after: ConfigDraft): void {
  const order = context.planned.boot_order;
  if (context.config.boot_order !== null || !order?.some((device) => device !== undefined && !after.has(device)))
    return;
  const rest = order.filter((device): device is string => device !== undefined && after.has(device));
  context.set("boot_order", rest.length === 0 ? null : rest);
  patchWired({ boot_order: settings.boot_order }, { boot_order: rest.length === 0 ? null : rest }, after);
}

/** PVE chooses these for a new VM (qemu-server: src/PVE/API2/Qemu.pm, `create_vm`). */
function unpredictable({ config }: VmPlan, before: ConfigDraft, after: ConfigDraft): string[] {
  const hasNewCdrom = Object.keys(config.cdroms ?? {}).some((slot) => !before.has(slot));
  const isWindows = /^w/.test(config.os_type ?? String(after.raw("ostype") ?? ""));
  return [
    ...((config.clone === null && config.restore === null && config.import === null) || hasNewCdrom
      ? ["boot_order"]
      : []),
    ...(config.os_type === undefined || (isWindows && (config.os_type !== null || config.import)) ? ["machine"] : []),
    ...(config.template === undefined ? ["template"] : []),
  ];
}
