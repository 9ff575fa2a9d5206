import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, paramError } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { cidrFormat } from "../../core/schema/network-formats.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { node, skipLock, targetStorage, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import { requestViaHa } from "../../guests/ha.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { getImage } from "../../storage/images.ts";
import { getStorage, holds } from "../../storage/storages.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";
import { applyCloudInit } from "../cloud-init/drive.ts";
import { machineFormat } from "../config/device-formats.ts";
import { drivesOf } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { applyPending } from "../update/apply-pending.ts";
import { hasPending } from "../update/pending.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { checkCommandLine, warnOfUnbridgedNets } from "./command-line.ts";
import { startProcess } from "./run-state.ts";

/** Seconds that QEMU takes to start on an ordinary host. */
const startSeconds = 0.45;

interface StartOptions {
  readonly skipLock?: boolean;
}

/** `vm_start` in qemu-server `src/PVE/QemuServer.pm`; holds the lock of the configuration for its whole duration. */
export function startVm(process: Process, id: number, options: StartOptions = {}): Promise<void> {
  return withConfigLock(process, id, async () => {
    const guest = getVm(process, id);
    if (isTemplate(guest)) {
      die("you can't start a vm if it's a template");
    }
    const { lock, vmstate } = guest.config;
    if (lock === "backup" && guest.run !== undefined) {
      delete guest.run.paused; // a backup keeps the process, which is only resumed
      return;
    }
    if (options.skipLock !== true && lock !== "suspended") {
      checkLock(guest);
    }
    if (guest.run !== undefined) {
      die(`VM ${id} already running`);
    }
    await launch(process, id, lock === "suspended" || vmstate !== undefined);
  });
}

/** `vm_start_nolock`. */
async function launch(process: Process, id: number, resume: boolean): Promise<void> {
  const guest = getVm(process, id);
  if (!resume && hasPending(guest)) {
    await applyPending(process, id, loadConfig(process, id));
  }
  await applyCloudInit(process, id, loadConfig(process, id));
  const { config } = guest;
  if (resume) {
    process.print("Resuming suspended VM");
  }
  checkVolumes(process, config);
  checkCommandLine(process, config);
  await process.sleep(startSeconds);
  startProcess(process.sim, guest, config);
  warnOfUnbridgedNets(process, id, config);
  if (resume) {
    await forgetSavedState(process, id);
  }
}

/** Every volume must exist, on a storage that is configured for its content. */
function checkVolumes(process: Process, config: Section): void {
  const { world } = process.sim;
  const volumes = drivesOf(config)
    .map(([, { file }]) => file)
    .filter((file) => findVolumeId(file) !== undefined);
  for (const volid of volumes) {
    const { storage, content } = describeVolume(world, volid);
    if (!holds(getStorage(world, storage.storage), content)) {
      die(`storage '${storage.storage}' does not support content-type '${content}'`);
    }
  }
  for (const volid of volumes) {
    getImage(world, volid, process.node);
  }
}

async function forgetSavedState(process: Process, id: number): Promise<void> {
  const conf = loadConfig(process, id);
  const { vmstate } = conf.config;
  process.print("Resumed VM, removing state");
  if (isTrue(vmstate)) {
    await freeDisk(process, vmstate);
  }
  for (const key of ["lock", "vmstate", "running-nets-host-mtu", "runningmachine", "runningcpu"]) {
    delete conf.config[key];
  }
  saveConfig(process, id, conf);
}

/** Starts the VM in a task; also used for `start=1` of other calls. */
export function requestStart(process: Process, id: number, options: StartOptions = {}): string {
  const viaHa = requestViaHa(process, "VM", id, "started");
  return viaHa ?? process.worker("qmstart", String(id), (task: Task) => startVm(task, id, options));
}

/** Parameters for migrations only, which require root@pam. */
const rootParameters = [
  ...["stateuri", "skiplock", "migratedfrom", "migration_type", "migration_network", "targetstorage", "force-cpu"],
  ...["with-conntrack-state", "nets-host-mtu"],
];

function start(call: Call, id: number): string {
  const { caller, given } = call;
  for (const name of rootParameters) {
    requireRootFor(caller, name, isTrue(given[name]));
  }
  if (isTrue(given["targetstorage"]) && !isTrue(given["migratedfrom"])) {
    paramError({ targetstorage: "targetstorage can only by used with migratedfrom." });
  }
  return requestStart(call, id, { skipLock: given["skiplock"] === "1" });
}

export const startEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/status/start",
    ...onGuest("VM.PowerMgmt"),
    parameters: {
      node,
      vmid,
      skiplock: skipLock,
      stateuri: string({ optional: true, maxLength: 128 }),
      migratedfrom: { ...node, optional: true },
      migration_type: string({ optional: true, enum: ["secure", "insecure"] }),
      migration_network: string({ optional: true, format: cidrFormat }),
      machine: string({ optional: true, format: machineFormat }),
      "force-cpu": string({ optional: true }),
      targetstorage: targetStorage,
      timeout: integer({ optional: true, minimum: 0, default: "max(30, vm memory in GiB)" }),
      "with-conntrack-state": boolean({ optional: true, default: 0 }),
      "nets-host-mtu": string({ optional: true, pattern: "net\\d+=\\d+(,net\\d+=\\d+)*" }),
    },
    handler: (call) => start(call, call.params.vmid),
  }),
];
