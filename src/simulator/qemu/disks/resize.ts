import { endpoint } from "../../core/kernel/endpoint.ts";
import { die } from "../../core/kernel/failure.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Task } from "../../core/kernel/process.ts";
import { string } from "../../core/schema/schema.ts";
import { parseSize } from "../../core/schema/size.ts";
import { node, skipLock, vmid } from "../../core/schema/standard-options.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { getImage, resizeImage } from "../../storage/images.ts";
import { parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";
import { configDigest } from "../config/config-text.ts";
import { isCdrom, parseDrive, printDrive } from "../config/drive.ts";
import { driveSlots } from "../config/drive-formats.ts";
import { isTrue } from "../config/perl.ts";
import { checkLock, loadConfig, saveConfig, withConfigLock } from "../vm.ts";

const resizeSeconds = 0.2;

interface ResizeRequest {
  readonly vmid: number;
  readonly disk: string;
  /** `40G`, or `+8G` to grow by that much. */
  readonly size: string;
  readonly digest: string | undefined;
  readonly skipLock: boolean;
}

/** `resize_vm` in qemu-server `src/PVE/API2/Qemu.pm`, under the configuration's lock. */
async function resize(task: Task, request: ResizeRequest): Promise<void> {
  const { vmid: id, disk, size } = request;
  const { world } = task.sim;
  const conf = loadConfig(task, id);
  if (isTrue(request.digest) && request.digest !== configDigest(conf)) {
    die("checksum mismatch (file change by other user?)");
  }
  if (!request.skipLock) {
    checkLock(conf);
  }
  const text = conf.config[disk];
  const drive = isTrue(text) ? parseDrive(disk, text) : undefined;
  if (drive === undefined) {
    return die(`disk '${disk}' does not exist`);
  }
  describeVolume(world, drive.file); // fails for a drive that is not a volume, such as an empty CD drive
  if (isCdrom(drive)) {
    die("you can't resize a cdrom");
  }
  task.caller.check(`/storage/${parseVolumeId(drive.file).storage}`, ["Datastore.AllocateSpace"]);
  const present = getImage(world, drive.file, task.node).size;
  const wanted = Math.trunc((parseSize(size.replace(/^\+/, "")) ?? 0) + (size.startsWith("+") ? present : 0));
  if (wanted < present) {
    die("shrinking disks is not supported");
  }
  if (wanted === present) {
    return;
  }
  await task.sleep(resizeSeconds);
  resizeImage(world, drive.file, task.node, wanted);
  conf.config[disk] = printDrive({ ...drive, size: String(wanted) });
  saveConfig(task, id, conf);
}

export const resizeEndpoints = [
  endpoint({
    method: "PUT",
    path: "/nodes/{node}/qemu/{vmid}/resize",
    ...onGuest("VM.Config.Disk"),
    parameters: {
      node,
      vmid,
      skiplock: skipLock,
      disk: string({ enum: driveSlots }),
      size: string({ pattern: "\\+?\\d+(\\.\\d+)?[KMGT]?" }),
      digest: string({ optional: true, maxLength: 40 }),
    },
    handler: (call) => {
      const { vmid: id, skiplock, disk, size, digest } = call.params;
      requireRootFor(call.caller, "skiplock", skiplock);
      const request = { vmid: id, disk, size, digest, skipLock: skiplock === 1 };
      return call.worker("resize", String(id), (task) => withConfigLock(task, id, () => resize(task, request)));
    },
  }),
];
