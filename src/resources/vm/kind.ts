import { sourcesIn, volumeSourcesIn } from "../guest/attributes.ts";
import type { GuestDesired } from "../guest/context.ts";
import type { GuestKind } from "../guest/kind.ts";
import { heldBy } from "../guest/plan/needs/guest-needs.ts";
import { onGuest } from "../guest/plan/needs/need.ts";
import { attributes, settings } from "./attributes.ts";
import { vmBase } from "./base.ts";
import { fileOf } from "./blocks/drive-slots.ts";
import type { VmChange, VmDelete, VmDesired, VmPlan, VmRead, VmSettle, VmUpdate } from "./contexts.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { newConfig, startConfig } from "./import.ts";
import { awaitAddresses } from "./lifecycle/agent.ts";
import { changedSettings, changeVm } from "./lifecycle/change.ts";
import { arrangeData, discardOwnData, ejectLocalData } from "./lifecycle/cloud-init-data.ts";
import { configureNewVm, readNewVm } from "./lifecycle/configure-new.ts";
import { describeRead } from "./lifecycle/describe.ts";
import { storageOfDrive, withoutOldDrive } from "./lifecycle/old-drive.ts";
import { removeLeftDrive } from "./lifecycle/own-drive.ts";
import { untie } from "./lifecycle/untie.ts";
import { takesEffectLive } from "./live-changes.ts";
import { attributesOf } from "./option-names.ts";
import { macAddresses } from "./outputs.ts";
import { withPinnedMachine } from "./pinned-machine.ts";
import { planAddresses } from "./plan/plan-outputs.ts";
import { vmPlanSteps } from "./plan/plan-steps.ts";
import { clonedConfig, emptyConfig } from "./plan/predict.ts";
import { vmPrivileges } from "./privileges.ts";
import { vmRestore } from "./restore.ts";
import { drivesIn, families, namedVolumes, removeSlot, type VolumeTree } from "./slots.ts";
import { stopReasons } from "./stop-reasons.ts";
import { unreadOptions } from "./unread.ts";

/** QEMU virtual machines. */
export const vmKind: GuestKind = {
  ...vmBase,
  haType: "vm",
  tool: "qm",
  tasks: { create: "qmcreate", clone: "qmclone" },
  sources: sourcesIn(attributes),
  volumeSources: volumeSourcesIn(attributes),
  plannedAs: "vm",
  movesLive: true,
  cloneLock: "clone",
  shutdownHint: "A guest needs ACPI or the guest agent to shut down;",

  attributes,
  settings,
  nameOption: "name",
  families,
  permanentSlot: null,
  volumeMap: "disks",
  volumeContent: "images",
  namedVolumes,
  volumesIn: (tree: VolumeTree) => drivesIn(tree).map(({ drive, ...place }) => ({ ...place, volume: drive })),
  volumeAt: fileOf,
  macAddresses,
  attributesOf,
  removeSlot,

  draft: (api, config) => api.draft(config),
  fingerprint: fingerprintOf,

  /**
   * PVE hashes a password only in a VM that exists, checks tags of a new VM without looking at its pool, protects a VM from
   * being removed although it is not complete, and makes a UUID only for a VM that is created without `smbios1`.
   */
  isSetLater: (option, { draft }) =>
    ["cipassword", "tags", "protection"].includes(option) ||
    (option === "smbios1" && draft.read({ option, key: "uuid" }) === null),
  createParameters({ import: source }: VmDesired) {
    return { ...(source?.working_storage && { "import-working-storage": source.working_storage }) };
  },
  cloneParameters({ name, clone }: VmDesired) {
    const isFull = clone?.full ?? (clone?.storage || clone?.format ? true : null);
    return {
      ...(name && { name }),
      ...(isFull !== null && { full: isFull }),
      ...(clone?.format && { format: clone.format }),
    };
  },
  locksSource: ({ isRunning }) => isRunning,
  clonedConfig,
  restore: vmRestore,
  keepPinned: (desired, present) => withPinnedMachine(desired as VmDesired, present) as GuestDesired,
  newConfig,
  startConfig,
  emptyConfig,
  attemptCreate: (context, vm, { storages, draft }, create) =>
    withoutOldDrive(context, vm, [...storages, ...storageOfDrive(draft)], create),

  plan: vmPlanSteps,
  takesEffectLive,
  unreadOptions: (context, after) => unreadOptions(context as VmPlan, after),
  stopReasons,
  planAddresses: (context, after, power) => planAddresses(context as VmPlan, after, power),
  needsAfterStart(context) {
    const { config } = context as VmPlan;
    return config.agent?.wait ? [onGuest(heldBy(context), vmPrivileges.askAgent, ["agent", "wait"])] : [];
  },

  configureNew: (context, vm, change) => configureNewVm(context as VmSettle, vm, change),
  afterConfigure: (context, vm, draft) => readNewVm(context as VmSettle, vm, draft),
  async beforeMigrate(context, vm, draft) {
    const emptied = await ejectLocalData(context as VmSettle, vm, draft);
    return "prior" in context ? untie(context as VmUpdate, vm, emptied) : emptied;
  },
  async afterPlacement(context, vm, { draft, ...more }) {
    const filled = await arrangeData(context as VmSettle, vm, draft, more);
    await removeLeftDrive(context, vm, draft, filled);
  },
  awaitAddresses: (context, vm, draft) => awaitAddresses(context as VmChange, vm, draft),
  changedSettings: (context) => changedSettings(context as VmUpdate, []),
  change: (context, vm, starting) => changeVm(context as VmUpdate, vm, starting),
  describe: (context, place, draft, addresses) => describeRead(context as VmRead, place, draft, addresses),

  beforeDestroy: (context, found) => discardOwnData(context as VmDelete, found),
};
