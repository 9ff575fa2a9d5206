import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { node, storageId, vmid } from "../../core/schema/standard-options.ts";
import { failureReason } from "../../guests/migration-log.ts";
import { getEnabledStorage, holds } from "../../storage/storages.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";
import { configDigest, type VmConfig } from "../config/config-text.ts";
import { type Drive, isOrdinaryCdrom, parseDrive, printDrive } from "../config/drive.ts";
import { driveSlots, unusedSlots } from "../config/drive-formats.ts";
import { isTrue } from "../config/perl.ts";
import { createBaseImages } from "../lifecycle/template.ts";
import { checkLock, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { cloneDrive } from "./clone-drive.ts";
import { freeQuietly } from "./create-disks.ts";
import { efiVarsSize } from "./efi-vars.ts";
import { checkReassign, reassignDisk } from "./reassign-disk.ts";
import { isVolumeInUse, keepUnused } from "./unused-volumes.ts";

// `move_vm_disk` in qemu-server `src/PVE/API2/Qemu.pm`: to another storage, or to another VM.

interface MoveRequest {
  readonly vmid: number;
  readonly disk: string;
  readonly storage: string;
  readonly format: string | undefined;
  /** The source is deleted instead of being kept as `unusedN`. */
  readonly remove: boolean;
  readonly digest: string | undefined;
  readonly bandwidth: number | undefined;
}

/** `assert_if_modified` of pve-common `src/PVE/Tools.pm`. */
function checkDigest(wanted: string | undefined, conf: VmConfig): void {
  if (isTrue(wanted) && wanted !== configDigest(conf)) {
    die("detected modified configuration - file changed by other user? Try again.");
  }
}

function checkMove(process: Process, request: MoveRequest): { conf: VmConfig; drive: Drive; snapshotted: boolean } {
  const { world } = process.sim;
  const { disk, storage, format } = request;
  const conf = loadConfig(process, request.vmid);
  checkLock(conf);
  checkDigest(request.digest, conf);
  const text = conf.config[disk];
  const drive = isTrue(text) ? parseDrive(disk, text) : undefined;
  if (drive === undefined) {
    return die(`disk '${disk}' does not exist`);
  }
  if (isOrdinaryCdrom(drive)) {
    die("you can't move a cdrom");
  }
  const present = describeVolume(world, drive.file);
  if (present.storage.storage === storage && (format === undefined || format === present.format)) {
    die("you can't move to the same storage with same format");
  }
  if (!holds(getEnabledStorage(world, storage, process.node), "images")) {
    paramError({ storage: `storage '${storage}' does not support vm images` });
  }
  const snapshotted = isVolumeInUse(world, conf, disk, drive.file);
  if (snapshotted && request.remove) {
    die("you can't move a disk with snapshots and delete the source");
  }
  return { conf, drive, snapshotted };
}

async function move(task: Task, request: MoveRequest): Promise<void> {
  const { vmid: id, storage } = request;
  const { conf, drive, snapshotted } = checkMove(task, request);
  const from = parseVolumeId(drive.file).storage;
  task.print(`copying volume '${drive.file}' from current storage '${from}' to target storage '${storage}'`);
  const created: string[] = [];
  try {
    if (snapshotted) {
      task.print("moving disk with snapshots, snapshots will not be moved!");
    }
    await copy(task, request, { conf, drive, created });
    saveConfig(task, id, conf);
  } catch (thrown) {
    await freeQuietly(task, created);
    die(`storage migration failed: ${failureReason(thrown)}`);
  }
  if (request.remove) {
    task.print(`removing source volume '${drive.file}' after successful copy`);
    await freeDisk(task, drive.file).catch((thrown: unknown) => task.print(failureText(thrown)));
  }
}

async function copy(
  task: Task,
  request: MoveRequest,
  { conf, drive, created }: { conf: VmConfig; drive: Drive; created: string[] },
): Promise<void> {
  const { vmid: id, disk, storage, format, bandwidth } = request;
  const running = getVm(task, id).run !== undefined;
  const efiSize = efiVarsSize(conf.config["arch"] ?? "x86_64", drive);
  const moved = await cloneDrive(
    task,
    { drive, vmid: id, slot: disk, running },
    { vmid: id, slot: disk, storage, format, efiSize, bandwidth },
    { full: true, created },
  );
  conf.config[disk] = printDrive(moved);
  if (!request.remove) {
    const slot = await keepUnused(task, conf.config, drive.file);
    task.print(`adding source volume '${drive.file}' as '${slot ?? ""}' to config`);
  }
  if (isTemplate(conf)) {
    await createBaseImages(task, id, conf, disk);
  }
}

function moveRequest(call: Call, id: number): string {
  const { caller, given } = call;
  const disk = given["disk"] ?? "";
  const storage = given["storage"];
  const targetId = given["target-vmid"];
  if (isTrue(targetId) && isTrue(storage)) {
    const text = "either set 'storage' or 'target-vmid', but not both";
    paramError({ "target-vmid": text, storage: text });
  }
  if (isTrue(targetId)) {
    const request = {
      vmid: id,
      disk,
      targetId: Number(targetId),
      targetDisk: given["target-disk"] ?? disk,
      digest: given["digest"],
      targetDigest: given["target-digest"],
    };
    checkReassign(call, request);
    const label = `${id}-${disk}>${targetId}-${request.targetDisk}`;
    return call.worker("qmmove", label, (task) => reassignDisk(task, request));
  }
  if (!isTrue(storage)) {
    const text = "both 'storage' and 'target-vmid' missing, either needs to be set";
    return paramError({ "target-vmid": text, storage: text });
  }
  caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  const request = {
    vmid: id,
    disk,
    storage,
    format: given["format"],
    remove: given["delete"] === "1",
    digest: given["digest"],
    bandwidth: given["bwlimit"] === undefined ? undefined : Number(given["bwlimit"]),
  };
  checkMove(call, request);
  return call.worker("qmmove", String(id), (task) => withConfigLock(task, id, () => move(task, request)));
}

const anySlot = [...driveSlots, ...unusedSlots];

export const moveDiskEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/move_disk",
    ...onGuest("VM.Config.Disk"),
    parameters: {
      node,
      vmid,
      "target-vmid": { ...vmid, optional: true },
      disk: string({ enum: anySlot }),
      storage: { ...storageId, optional: true },
      format: string({ optional: true, enum: ["raw", "qcow2", "vmdk"] }),
      delete: boolean({ optional: true, default: 0 }),
      digest: string({ optional: true, maxLength: 40 }),
      bwlimit: integer({ optional: true, minimum: 0, default: "move limit from datacenter or storage config" }),
      "target-disk": string({ optional: true, enum: anySlot }),
      "target-digest": string({ optional: true, maxLength: 40 }),
    },
    handler: (call) => moveRequest(call, call.params.vmid),
  }),
];
