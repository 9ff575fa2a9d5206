import { endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { boolean } from "../../core/schema/schema.ts";
import { node, skipLock, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import { checkReferences, forgetGuest } from "../../guests/destroy.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { isBaseInUse } from "../../storage/images.ts";
import { enabledStorages } from "../../storage/storages.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { volumesOn } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type Drive, drivesOf, isCdrom, isOrdinaryCdrom, unusedDrivesOf } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { ownsVolume } from "../disks/unused-volumes.ts";
import { checkRunning } from "../power/run-state.ts";
import { checkLock, checkProtection, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";

// `destroy_vm` in qemu-server `src/PVE/API2/Qemu.pm` and `src/PVE/QemuServer.pm`.

interface DestroyRequest {
  readonly vmid: number;
  readonly purge: boolean;
  readonly unreferenced: boolean;
  readonly skipLock: boolean;
}

function checkDestroyable(process: Process, { vmid: id, purge }: DestroyRequest): void {
  checkProtection(getVm(process, id), `can't remove VM ${id}`);
  checkReferences(process.sim.world, "VM", id, purge);
  if (checkRunning(process, id)) {
    die(`VM ${id} is running - destroy failed`);
  }
}

function stateDrive(section: Section): Drive[] {
  return isTrue(section["vmstate"]) ? [{ file: section["vmstate"] }] : [];
}

/** All volumes in the configuration: attached, detached, saved states and pending ones. */
function referencedDrives({ config, snapshots, pending }: VmConfig): Drive[] {
  const all = (section: Section) => [
    ...drivesOf(section).map(([, drive]) => drive),
    ...stateDrive(section),
    ...unusedDrivesOf(section).map(([, drive]) => drive),
  ];
  return [...all(config), ...Object.values(snapshots).flatMap(stateDrive), ...all(pending.set)];
}

function checkLinkedClones(task: Task, conf: VmConfig): void {
  const drives = [...drivesOf(conf.config), ...unusedDrivesOf(conf.config)];
  for (const [, drive] of drives) {
    const isVolume = !isCdrom(drive) && findVolumeId(drive.file) !== undefined;
    if (isVolume && isBaseInUse(task.sim.world, drive.file, task.node)) {
      die(`base volume '${drive.file}' is still in use by linked cloned`);
    }
  }
}

/** Nothing can be said about a volume whose storage is not defined any more: it stays. */
function warnOfLostStorages(task: Task, files: readonly string[]): void {
  for (const file of files) {
    const storage = findVolumeId(file)?.storage;
    if (storage !== undefined && task.sim.world.storages[storage] === undefined) {
      task.warn(`failed to get path and owner of volume '${file}': storage '${storage}' does not exist`);
    }
  }
}

/** A volume that cannot be removed only causes a warning: the VM is removed, the volume stays. */
async function removeVolumes(task: Task, { vmid: id, unreferenced }: DestroyRequest, conf: VmConfig): Promise<void> {
  const { world } = task.sim;
  const files = referencedDrives(conf)
    .filter((drive) => !isOrdinaryCdrom(drive))
    .map(({ file }) => file);
  warnOfLostStorages(task, files);
  const owned = files.filter((file) => ownsVolume(world, id, file));
  for (const volid of new Set(owned)) {
    await freeDisk(task, volid).catch((thrown: unknown) => {
      task.warn(`Could not remove disk '${volid}', check manually: ${failureText(thrown)}`);
    });
  }
  const left = unreferenced
    ? enabledStorages(world, task.node).flatMap(({ storage }) => volumesOn(world, storage, task.node, id))
    : [];
  for (const { volid } of left.filter(({ content }) => content === "images")) {
    await freeDisk(task, volid).catch((thrown: unknown) => task.warn(failureText(thrown)));
  }
}

async function destroy(task: Task, request: DestroyRequest): Promise<void> {
  const { vmid: id } = request;
  checkDestroyable(task, request);
  const conf = loadConfig(task, id);
  if (!request.skipLock && conf.config["lock"] !== "suspended") {
    checkLock(conf);
  }
  if (isTrue(conf.config["template"])) {
    checkLinkedClones(task, conf);
  }
  await removeVolumes(task, request, conf);
  // A failure after this point leaves a VM with nothing but this lock.
  saveConfig(task, id, {
    config: { lock: "destroyed" },
    pending: { set: {}, delete: {} },
    cloudinit: {},
    snapshots: {},
  });
  await forgetGuest(task, "VM", id, request.purge);
}

export const destroyEndpoints = [
  endpoint({
    method: "DELETE",
    path: "/nodes/{node}/qemu/{vmid}",
    ...onGuest("VM.Allocate"),
    parameters: {
      node,
      vmid,
      skiplock: skipLock,
      purge: boolean({ optional: true }),
      "destroy-unreferenced-disks": boolean({ optional: true, default: 0 }),
    },
    handler: (call) => {
      const { vmid: id, skiplock, purge, "destroy-unreferenced-disks": unreferenced } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      const request = { vmid: id, purge: purge === 1, unreferenced: unreferenced === 1, skipLock: skiplock === 1 };
      checkDestroyable(call, request);
      return call.worker("qmdestroy", String(id), (task) => withConfigLock(task, id, () => destroy(task, request)));
    },
  }),
];
