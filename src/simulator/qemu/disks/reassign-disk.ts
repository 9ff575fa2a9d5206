import { die, paramError } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { reassignDisk as renameVolume } from "../../storage/vdisk.ts";
import { findVolumeId, parseVolumeId } from "../../storage/volume-name.ts";
import { hasFeature } from "../../storage/volumes.ts";
import { effectiveBootOrder, printBootOrder } from "../config/boot.ts";
import { configDigest, type VmConfig } from "../config/config-text.ts";
import { type Drive, isOrdinaryCdrom, parseDrive, printDrive } from "../config/drive.ts";
import { isTrue } from "../config/perl.ts";
import { updateNow } from "../update/endpoints.ts";
import { readUpdate } from "../update/request.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { isVolumeInUse } from "./unused-volumes.ts";

// Reassigns a disk to another VM: `$disk_reassignfn` in qemu-server `src/PVE/API2/Qemu.pm`.

export interface ReassignRequest {
  readonly vmid: number;
  readonly disk: string;
  readonly targetId: number;
  readonly targetDisk: string;
  readonly digest: string | undefined;
  readonly targetDigest: string | undefined;
}

function checkVmDigest(id: number, wanted: string | undefined, conf: VmConfig): void {
  if (isTrue(wanted) && wanted !== configDigest(conf)) {
    die(`VM ${id}: detected modified configuration - file changed by other user? Try again.`);
  }
}

/** Both configurations and the drive, parsed by the rules of its new slot. */
function loadBoth(process: Process, request: ReassignRequest): { source: VmConfig; target: VmConfig; drive: Drive } {
  const { world } = process.sim;
  const { vmid: id, disk, targetId, targetDisk } = request;
  const here = world.guests[id] ?? die(`could not find VM ${id}`);
  const there = world.guests[targetId] ?? die(`could not find target VM ${targetId}`);
  if (here.node !== there.node) {
    die(`Both VMs need to be on the same node (${here.node} != ${there.node})`);
  }
  const source = loadConfig(process, id);
  checkLock(source);
  const target = loadConfig(process, targetId);
  checkLock(target);
  if (isTrue(source.config["template"]) || isTrue(target.config["template"])) {
    die("Can't move disks from or to template VMs");
  }
  checkVmDigest(id, request.digest, source);
  checkVmDigest(targetId, request.targetDigest, target);
  const text = source.config[disk] ?? die(`Disk '${disk}' for VM '${id}' does not exist`);
  if (isTrue(target.config[targetDisk])) {
    die(`Target disk key '${targetDisk}' is already in use for VM '${targetId}'`);
  }
  const { file } = checkSource(process, request, source, text);
  const drive = parseDrive(targetDisk, targetDisk.startsWith("unused") ? file : text);
  return { source, target, drive: drive ?? die("failed to parse source disk for target disk format - ") };
}

function checkSource(process: Process, { vmid: id, disk }: ReassignRequest, conf: VmConfig, text: string): Drive {
  const { world } = process.sim;
  const drive = parseDrive(disk, text) ?? die("failed to parse source disk - ");
  if (isOrdinaryCdrom(drive)) {
    die("CD drive contents can't be moved to another VM");
  }
  if (findVolumeId(drive.file) === undefined) {
    die(`Volume '${drive.file}' not managed by PVE`);
  }
  if (isVolumeInUse(world, conf, disk, drive.file)) {
    die("Can't move disk used by a snapshot to another VM");
  }
  if (!hasFeature(world, "rename", drive.file)) {
    die("Storage does not support moving of this disk to another VM");
  }
  if (getVm(process, id).run !== undefined && !disk.startsWith("unused")) {
    die("Cannot move disk to another VM while the source VM is running - detach first");
  }
  return drive;
}

export function checkReassign(process: Process, request: ReassignRequest): void {
  const { caller } = process;
  if (!caller.isRoot) {
    caller.checkVm(request.targetId, undefined, ["VM.Config.Disk"]);
  }
  if (request.vmid === request.targetId) {
    paramError({ "target-vmid": "must be different than source VMID to reassign disk" });
  }
  const { drive } = loadBoth(process, request);
  caller.check(`/storage/${parseVolumeId(drive.file).storage}`, ["Datastore.AllocateSpace"]);
}

export function reassignDisk(task: Task, request: ReassignRequest): Promise<void> {
  const { vmid: id, targetId } = request;
  return withConfigLock(task, id, () => withConfigLock(task, targetId, () => reassign(task, request)));
}

async function reassign(task: Task, request: ReassignRequest): Promise<void> {
  const { vmid: id, disk, targetId, targetDisk } = request;
  const { source, target, drive } = loadBoth(task, request);
  task.print(`reassign disk '${disk}' from VM '${id}' as '${targetDisk}' to VM '${targetId}'`);
  const file = await renameVolume(task, drive.file, targetId);
  const order = effectiveBootOrder(source.config);
  if (order.includes(disk)) {
    task.print(`removing disk '${disk}' from boot order config`);
    source.config["boot"] = printBootOrder(order.filter((device) => device !== disk));
  }
  delete source.config[disk];
  task.print(`removing disk '${disk}' from VM '${id}' config`);
  saveConfig(task, id, source);
  const value = printDrive({ ...drive, file });
  if (targetDisk.startsWith("unused")) {
    target.config[targetDisk] = value;
    saveConfig(task, targetId, target);
  } else {
    const given = { vmid: String(targetId), [targetDisk]: value };
    await updateNow(task, readUpdate(task, given, given));
  }
}
