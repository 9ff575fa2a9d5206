import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Task } from "../core/kernel/process.ts";
import { boolean } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { checkReferences, forgetGuest } from "../guests/destroy.ts";
import { moveGuestAddresses } from "../sdn/guest-addresses.ts";
import { enabledStorages, holds } from "../storage/storages.ts";
import { freeDisk } from "../storage/vdisk.ts";
import { volumesOn } from "../storage/volumes.ts";
import { checkLock, checkProtection, getContainer, isRunning, withContainerLock } from "./container.ts";
import { removeVolume, volumesOf } from "./mounts.ts";

// pve-container `src/PVE/API2/LXC.pm`, `destroy_vm`.

interface DestroyOptions {
  readonly purge: boolean;
  readonly force: boolean;
  readonly unreferenced: boolean;
}

function check(world: World, guest: Guest, { purge }: DestroyOptions): void {
  const id = guest.vmid;
  checkProtection(guest, `can't remove CT ${id}`);
  checkLock(guest);
  checkReferences(world, "CT", id, purge);
}

/** All volumes on any storage that carry the container's number. */
async function removeUnreferenced(task: Task, id: number): Promise<void> {
  const { world } = task.sim;
  for (const storage of enabledStorages(world, task.node).filter((candidate) => holds(candidate, "rootdir"))) {
    for (const { volid } of volumesOn(world, storage.storage, task.node, id)) {
      await freeDisk(task, volid).catch((thrown: unknown) => task.print(failureText(thrown).trimEnd()));
    }
  }
}

async function destroy(task: Task, id: number, options: DestroyOptions): Promise<void> {
  const { world } = task.sim;
  const guest = getContainer(task, id);
  check(world, guest, options);
  if (guest.run !== undefined) {
    if (!options.force) {
      die(`unable to destroy CT ${id} - container is running`);
    }
    task.print(`forced to stop CT ${id} before destroying!`);
    guest.run = undefined;
  }
  for (const volume of new Set([...volumesOf(guest.config), ...volumesOf(guest.pending.set)])) {
    await removeVolume(task, id, volume);
  }
  if (options.unreferenced) {
    await removeUnreferenced(task, id);
  }
  moveGuestAddresses(world, id, guest.config, {});
  guest.config = { lock: "destroyed" };
  await forgetGuest(task, "CT", id, options.purge);
}

export const destroyEndpoint = endpoint({
  method: "DELETE",
  path: "/nodes/{node}/lxc/{vmid}",
  ...onGuest("VM.Allocate"),
  parameters: {
    node,
    vmid,
    purge: boolean({ optional: true, default: 0 }),
    force: boolean({ optional: true, default: 0 }),
    "destroy-unreferenced-disks": boolean({ optional: true }),
  },
  handler: (call) => {
    const { vmid: id, purge, force, "destroy-unreferenced-disks": unreferenced } = call.params;
    const options = { purge: purge === 1, force: force === 1, unreferenced: unreferenced === 1 };
    check(call.world, getContainer(call, id), options);
    if (!options.force && isRunning(call, id)) {
      die(`unable to destroy CT ${id} - container is running`);
    }
    return call.worker("vzdestroy", String(id), (task) =>
      withContainerLock(task, id, () => destroy(task, id, options)),
    );
  },
});
