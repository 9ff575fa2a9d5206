import type { GuestKind } from "../guest/kind.ts";
import { settings } from "./attributes.ts";
import { vmCalls } from "./calls.ts";
import type { VmDelete, VmDesired } from "./contexts.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { discardOwnData } from "./lifecycle/cloud-init-data.ts";
import { storageOfDrive, withoutOldDrive } from "./lifecycle/old-drive.ts";
import { clonedConfig } from "./plan/predict.ts";
import { families } from "./slots.ts";

/** QEMU virtual machines. */
export const vmKind: GuestKind = {
  noun: "VM",
  title: "VM",
  type: "qemu",
  resource: "proxmox_vm",
  haType: "vm",
  tool: "qm",
  tasks: { create: "qmcreate", clone: "qmclone" },
  cloneLock: "clone",
  shutdownHint: "A guest needs ACPI or the guest agent to shut down;",

  settings,
  nameOption: "name",
  families,

  calls: vmCalls,
  draft: (api, config) => api.draft(config),
  fingerprint: fingerprintOf,

  /**
   * PVE hashes a password only in a VM that exists, checks tags of a new VM without looking at its pool, and protects a VM
   * from being removed although it is not complete.
   */
  laterOptions: ["cipassword", "tags", "protection"],
  createParameters: () => ({}),
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
  attemptCreate: (context, vm, { storages, draft }, create) =>
    withoutOldDrive(context, vm, [...storages, ...storageOfDrive(draft)], create),

  beforeDestroy: (context, found) => discardOwnData(context as VmDelete, found),
};
