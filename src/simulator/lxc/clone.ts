import { endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText } from "../core/kernel/failure.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { dnsNameFormat } from "../core/schema/network-formats.ts";
import { number, string } from "../core/schema/schema.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import { getSnapshot } from "../core/world/guest.ts";
import { copyGuestFirewall, removeGuestFirewall } from "../firewall/files.ts";
import { cloneParameters, mayClone } from "../guests/clone.ts";
import { addGuestToPool, checkPoolExists } from "../pools/membership.ts";
import { getEnabledStorage, getStorage, isShared } from "../storage/storages.ts";
import { cloneDisk, copyDisk, freeDisk } from "../storage/vdisk.ts";
import { describeVolume } from "../storage/volumes.ts";
import { checkLock, checkVmidUnused, getContainer, isTemplate, newContainer, withContainerLock } from "./container.ts";
import { isLinkable, type Mount, mountFormat, mountsOf, mountType, printMount } from "./mounts.ts";
import { checkNetworkAccess, renewNetwork } from "./networks.ts";
import { isMountKey, isNetworkKey, isUnusedKey } from "./options.ts";

// pve-container `src/PVE/API2/LXC.pm`, `clone_vm`.

interface CloneParams {
  readonly vmid: number;
  readonly newid: number;
  readonly pool?: string | undefined;
  readonly snapname?: string | undefined;
  readonly storage?: string | undefined;
  readonly target?: string | undefined;
  readonly full?: 0 | 1 | undefined;
  readonly hostname?: string | undefined;
  readonly description?: string | undefined;
}

/** Sets the lock property in the configuration of one container. */
async function setLock(process: Process, id: number, lock: string): Promise<Guest> {
  return withContainerLock(process, id, () => {
    const guest = getContainer(process, id);
    checkLock(guest);
    guest.config["lock"] = lock;
    return guest;
  });
}

function checkTarget({ sim, node: here }: Process, { storage, target }: CloneParams): string | undefined {
  const { world } = sim;
  const other = target === here || target === "localhost" ? undefined : target;
  if (other !== undefined && world.nodes[other] === undefined) {
    die(`no such cluster node '${other}'`);
  }
  if (storage !== undefined) {
    const found = getEnabledStorage(world, storage, here);
    if (other !== undefined) {
      getEnabledStorage(world, storage, other);
      if (!isShared(found)) {
        die(`can't clone to non-shared storage '${storage}'`);
      }
    }
  }
  return other;
}

/** Decides which volumes are copied or linked; dies if one cannot be. */
function planMounts(call: Process, source: Guest, section: Section, params: CloneParams, isFull: boolean) {
  const { world } = call.sim;
  return mountsOf(section).map(([key, mount]): [string, Mount] => {
    const type = mountType(mount);
    if (type !== "volume") {
      die(`unable to clone mountpoint '${key}' (type ${type})`);
    }
    const storage = params.storage ?? describeVolume(world, mount.volume).storage.storage;
    call.caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
    if (isFull && source.run !== undefined && params.snapname === undefined) {
      die("Full clone of a running container is only possible from a snapshot");
    }
    if (!isFull && !isLinkable(world, mount.volume, params.snapname)) {
      die(`Linked clone feature for '${mount.volume}' is not available`);
    }
    return [key, mount];
  });
}

function newConfig(call: Process, section: Section, params: CloneParams): Section {
  const copied = Object.entries(section).filter(
    ([key]) =>
      !isUnusedKey(key) && !isMountKey(key) && !["lock", "parent", "snaptime", "snapstate", "template"].includes(key),
  );
  const config = copied.map(([key, value]) => {
    const next = isNetworkKey(key) ? renewNetwork(call.sim, value) : value;
    if (isNetworkKey(key)) {
      checkNetworkAccess(call.sim.world, call.caller, next);
    }
    return [key, next];
  });
  return {
    ...Object.fromEntries(config),
    ...(params.hostname && { hostname: params.hostname }),
    ...(params.description && { description: `${params.description.replace(/\n+$/, "")}\n` }),
    lock: "create",
  };
}

interface Plan {
  readonly mounts: readonly [key: string, mount: Mount][];
  readonly isFull: boolean;
  readonly target: string | undefined;
}

/** All refusals before the fork; at this point the stub of the new container exists. */
function prepare(call: Process, source: Guest, params: CloneParams, target: string | undefined): Plan {
  const isFull = params.full === undefined ? !isTemplate(source) : params.full === 1;
  if (params.storage !== undefined && !isFull) {
    die("parameter 'storage' not allowed for linked clones");
  }
  const section = params.snapname === undefined ? source.config : getSnapshot(source, params.snapname);
  const mounts = planMounts(call, source, section, params, isFull);
  const { world } = call.sim;
  const storageOf = ({ volume }: Mount) => params.storage ?? describeVolume(world, volume).storage.storage;
  if (target !== undefined && mounts.some(([, mount]) => !isShared(getStorage(world, storageOf(mount))))) {
    die(`can't clone CT to node '${target}' (CT uses local storage)`);
  }
  copyGuestFirewall(world, params.vmid, params.newid);
  const stub = world.guests[params.newid];
  if (stub !== undefined) {
    stub.config = newConfig(call, section, params);
  }
  return { mounts, isFull, target };
}

/** PVE uses the order of a Perl hash, so the root does not necessarily get the first number. */
function cloneOrder(mounts: Plan["mounts"]): Plan["mounts"] {
  const rank = (key: string) => (key === "mp0" ? -2 : key === "rootfs" ? -1 : Number(key.slice(2)));
  return [...mounts].sort(([a], [b]) => rank(a) - rank(b));
}

async function copyMounts(task: Task, params: CloneParams, { mounts, isFull }: Plan, made: string[]): Promise<void> {
  const { newid, snapname } = params;
  for (const [key, mount] of cloneOrder(mounts)) {
    const { storage } = describeVolume(task.sim.world, mount.volume);
    const target = params.storage === undefined ? storage : getStorage(task.sim.world, params.storage);
    task.print(
      `create ${isFull ? "full clone of mountpoint" : "linked clone of mount point"} ${key} (${mount.volume})`,
    );
    const volume = isFull
      ? await copyDisk(task, mount.volume, {
          storage: target.storage,
          vmid: newid,
          format: mountFormat(task.sim.world, target.storage, mount),
        })
      : await cloneDisk(task, mount.volume, newid, snapname);
    made.push(volume);
    getContainer(task, newid).config[key] = printMount(key, { ...mount, volume });
  }
}

async function runClone(task: Task, params: CloneParams, plan: Plan): Promise<void> {
  const { world } = task.sim;
  const { vmid: id, newid, pool } = params;
  const made: string[] = [];
  task.print(`creating a clone of container ${id} with ID ${newid}`);
  try {
    await copyMounts(task, params, plan, made);
    if (pool !== undefined) {
      await addGuestToPool(task, newid, pool);
    }
  } catch (thrown) {
    for (const volume of made) {
      await freeDisk(task, volume);
    }
    delete world.guests[newid];
    removeGuestFirewall(world, newid);
    die(`clone failed: ${failureText(thrown)}`);
  } finally {
    delete world.guests[id]?.config["lock"];
  }
  const clone = getContainer(task, newid);
  delete clone.config["lock"];
  clone.node = plan.target ?? clone.node;
}

export const cloneEndpoint = endpoint({
  method: "POST",
  path: "/nodes/{node}/lxc/{vmid}/clone",
  protected: true,
  proxyTo: "node",
  permissions: mayClone,
  parameters: {
    ...cloneParameters,
    hostname: string({ optional: true, format: dnsNameFormat }),
    bwlimit: number({ optional: true, minimum: 0 }),
  },
  handler: async (call) => {
    const { world, params } = call;
    const { vmid: id, newid } = params;
    if (params.pool !== undefined) {
      checkPoolExists(world, params.pool);
    }
    const target = checkTarget(call, params);
    const source = await setLock(call, id, "disk");
    const undo = () => {
      delete source.config["lock"];
    };
    try {
      await withContainerLock(
        call,
        newid,
        () => {
          checkVmidUnused(world, newid);
          newContainer(world, newid, call.node, { lock: "create" });
        },
        5,
      );
    } catch (thrown) {
      undo();
      throw thrown;
    }
    const abandon = () => {
      undo();
      delete world.guests[newid];
      removeGuestFirewall(world, newid);
    };
    try {
      const plan = prepare(call, source, params, target);
      return call.worker("vzclone", String(id), (task) => runClone(task, params, plan), abandon);
    } catch (thrown) {
      abandon();
      throw thrown;
    }
  },
});
