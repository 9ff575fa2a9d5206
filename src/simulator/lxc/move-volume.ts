import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { storageIdFormat } from "../core/schema/formats.ts";
import { boolean, number, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import { activateVolume } from "../storage/images.ts";
import { copyDisk, createBaseDisk, freeDisk, reassignDisk } from "../storage/vdisk.ts";
import { parseVolumeId } from "../storage/volume-name.ts";
import { hasFeature } from "../storage/volumes.ts";
import { assertContainerDigest, checkLock, getContainer, isTemplate, withContainerLock } from "./container.ts";
import {
  dropMountedUnused,
  isVolumeInSnapshots,
  type Mount,
  mountFormat,
  mountType,
  parkVolume,
  parseMount,
  printMount,
} from "./mounts.ts";
import { isUnusedKey, volumeKeys } from "./options.ts";
import { checkRuntimeConfig } from "./runtime-config.ts";
import { updateContainer } from "./update.ts";

// pve-container `src/PVE/API2/LXC.pm`, `move_volume`: to another storage, or to another container.

interface Move {
  readonly vmid: number;
  readonly volume: string;
  readonly delete?: 0 | 1 | undefined;
  readonly digest?: string | undefined;
  readonly "target-digest"?: string | undefined;
}

/** Checks and locks the container; returns the mount to copy. */
function beginCopy(call: Call, { vmid: id, volume: key, delete: isDeleted, digest }: Move): Promise<Mount> {
  return withContainerLock(call, id, () => {
    const guest = getContainer(call, id);
    checkLock(guest);
    if (guest.run !== undefined) {
      die("cannot move volumes of a running container");
    }
    if (isUnusedKey(key)) {
      die(`cannot move volume '${key}', only configured volumes can be moved to another storage`);
    }
    const mount = parseMount(key, guest.config[key] ?? "");
    if (isDeleted === 1 && isVolumeInSnapshots(guest, mount.volume)) {
      die("you can't move a volume with snapshots and delete the source");
    }
    assertContainerDigest(guest, digest);
    guest.config["lock"] = "disk";
    return mount;
  });
}

async function copyToStorage(task: Task, { vmid: id, volume: key, delete: isDeleted }: Move, mount: Mount, to: string) {
  const { world } = task.sim;
  try {
    activateVolume(world, mount.volume, task.node);
    const format = mountFormat(world, to, mount);
    const copied = await copyDisk(task, mount.volume, { storage: to, vmid: id, format });
    const guest = getContainer(task, id);
    const volume = isTemplate(guest) ? await createBaseDisk(task, copied) : copied;
    guest.config[key] = printMount(key, { ...mount, volume });
    if (isDeleted === 1) {
      await removeSource(task, guest, mount.volume);
    } else {
      parkVolume(guest.config, mount.volume);
    }
    dropMountedUnused(guest.config);
  } finally {
    delete world.guests[id]?.config["lock"];
  }
}

/** A source that cannot be removed is kept as an unused volume. */
async function removeSource(task: Task, guest: Guest, volume: string): Promise<void> {
  try {
    await freeDisk(task, volume);
  } catch (thrown) {
    task.print(failureText(thrown).trimEnd());
    parkVolume(guest.config, volume);
  }
}

interface Reassignment extends Move {
  readonly target: number;
  readonly targetKey: string;
}

function asDigestOf(id: number, check: () => void): void {
  try {
    check();
  } catch (thrown) {
    die(`Container ${id}: ${failureText(thrown)}`);
  }
}

function checkReassignment(process: Process, move: Reassignment): { source: Guest; target: Guest; mount: Mount } {
  const { world } = process.sim;
  const { vmid: id, volume: key, target: targetId, targetKey } = move;
  if (key === "rootfs" || targetKey === "rootfs") {
    die("Cannot move to/from 'rootfs'");
  }
  if (isUnusedKey(key) && !isUnusedKey(targetKey)) {
    die("Moving an unused volume to a used one is not possible");
  }
  const [from, to] = [id, targetId].map((number) => world.guests[number] ?? die(`could not find CT ${number}`));
  if (from?.node !== to?.node) {
    die(`Both containers need to be on the same node (${from?.node} != ${to?.node})`);
  }
  const [source, target] = [id, targetId].map((number) => getContainer(process, number)) as [Guest, Guest];
  checkLock(source);
  checkLock(target);
  if (isTemplate(source) || isTemplate(target)) {
    die("Can't move volumes from or to template CT");
  }
  asDigestOf(id, () => assertContainerDigest(source, move.digest));
  asDigestOf(targetId, () => assertContainerDigest(target, move["target-digest"]));
  const text = source.config[key] ?? die(`volume '${key}' for container '${id}' does not exist`);
  if (target.config[targetKey] !== undefined) {
    die(`Target volume key '${targetKey}' is already in use for container '${targetId}'`);
  }
  const mount = parseMount(key, text);
  checkMovable(process, source, key, mount);
  return { source, target, mount };
}

function checkMovable(process: Process, source: Guest, key: string, mount: Mount): void {
  if (isVolumeInSnapshots(source, mount.volume)) {
    die("Cannot move volume used by a snapshot to another container");
  }
  if (!hasFeature(process.sim.world, "rename", mount.volume)) {
    die("Storage does not support moving of this disk to another container");
  }
  if (mountType(mount) !== "volume") {
    die("Cannot move a bindmount or device mount to another container");
  }
  if (source.run !== undefined && !isUnusedKey(key)) {
    die("Cannot move in-use volume while the source CT is running - detach or shutdown first");
  }
}

async function reassign(task: Task, move: Reassignment): Promise<void> {
  const { vmid: id, volume: key, target: targetId, targetKey } = move;
  const { source, target, mount } = checkReassignment(task, move);
  task.print(`moving volume '${key}' from container '${id}' to '${targetId}'`);
  const volume = await reassignDisk(task, mount.volume, targetId);
  delete source.config[key];
  task.print(`removing volume '${key}' from container '${id}' config`);
  if (isUnusedKey(targetKey)) {
    target.config[targetKey] = volume;
  } else {
    await updateContainer(task, target, { set: { [targetKey]: printMount(targetKey, { ...mount, volume }) } });
    checkRuntimeConfig(task, target);
  }
  task.print(`target container '${targetId}' updated with '${targetKey}'`);
}

function moveToContainer(call: Call, move: Reassignment): string {
  const { vmid: id, volume: key, target, targetKey } = move;
  if (!call.caller.isRoot) {
    call.caller.checkVm(target, undefined, ["VM.Config.Disk"]);
  }
  const { mount } = checkReassignment(call, move);
  call.caller.check(`/storage/${parseVolumeId(mount.volume).storage}`, ["Datastore.AllocateSpace"]);
  return call.worker("move_volume", `${id}-${key}>${target}-${targetKey}`, (task) =>
    withContainerLock(task, id, () => withContainerLock(task, target, () => reassign(task, move))),
  );
}

export const moveVolumeEndpoint = endpoint({
  method: "POST",
  path: "/nodes/{node}/lxc/{vmid}/move_volume",
  ...onGuest("VM.Config.Disk"),
  parameters: {
    node,
    vmid,
    "target-vmid": { ...vmid, optional: true },
    volume: string({ enum: volumeKeys }),
    storage: string({ optional: true, format: storageIdFormat }),
    delete: boolean({ optional: true, default: 0 }),
    digest: string({ optional: true, maxLength: 40 }),
    bwlimit: number({ optional: true, minimum: 0, default: "clone limit from datacenter or storage config" }),
    "target-volume": string({ optional: true, enum: volumeKeys }),
    "target-digest": string({ optional: true, maxLength: 40 }),
  },
  handler: async (call) => {
    const { params } = call;
    const { storage, "target-vmid": target } = params;
    const targetKey = params["target-volume"] ?? params.volume;
    if (storage !== undefined && target !== undefined) {
      die("either set storage or target-vmid, but not both");
    }
    if (target !== undefined) {
      return moveToContainer(call, { ...params, target, targetKey });
    }
    if (storage === undefined) {
      const text = "both 'storage' and 'target-vmid' missing, either needs to be set";
      return paramError({ "target-vmid": text, storage: text });
    }
    call.caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
    const mount = await beginCopy(call, params);
    const unlock = () => {
      delete call.world.guests[params.vmid]?.config["lock"];
    };
    const copy = (task: Task) => copyToStorage(task, params, mount, storage);
    try {
      return call.worker("move_volume", String(params.vmid), copy, unlock);
    } catch (thrown) {
      unlock();
      throw thrown;
    }
  },
});
