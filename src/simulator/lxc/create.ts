import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError, permissionError } from "../core/kernel/failure.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { storageIdFormat } from "../core/schema/formats.ts";
import { boolean, number, string } from "../core/schema/schema.ts";
import { node, vmid } from "../core/schema/standard-options.ts";
import type { Section } from "../core/world/guest.ts";
import { removeGuestFirewall } from "../firewall/files.ts";
import { checkSshKeys } from "../guests/ssh-keys.ts";
import { addGuestToPool, checkPoolExists } from "../pools/membership.ts";
import { poolIdFormat } from "../pools/pool-id.ts";
import { checkVolumeAccess } from "../storage/access.ts";
import { getEnabledStorage, holds } from "../storage/storages.ts";
import { freeDisk } from "../storage/vdisk.ts";
import { findVolume } from "../storage/volumes.ts";
import {
  checkLock,
  checkProtection,
  checkVmidUnused,
  findContainer,
  getContainer,
  newContainer,
  withContainerLock,
} from "./container.ts";
import { createMount, mountAll, mountsOf, mountType, parseMount } from "./mounts.ts";
import { completeNetwork } from "./networks.ts";
import { containerOptions, isMountKey, isNetworkKey, isUnusedKey } from "./options.ts";
import { requestStart } from "./power.ts";
import { checkOptionPrivileges } from "./privileges.ts";
import { restoreContainer } from "./restore.ts";
import { unpackTemplate } from "./unpack.ts";
import { normalizeOption } from "./update.ts";

// pve-container `src/PVE/API2/LXC.pm`, `create_vm`.

interface Order {
  readonly vmid: number;
  readonly template: string;
  /** Mounts by key, with a storage in front of plain sizes. */
  readonly mounts: Section;
  /** The default for mounts without a storage. */
  readonly storage: string;
  readonly options: Section;
  readonly pool: string | undefined;
}

/** Allocates and unpacks; frees the allocated volumes on failure. */
async function build(task: Task, order: Order, isUnprivileged: boolean): Promise<void> {
  const { vmid: id, template, options, pool } = order;
  const mounts = order.mounts["rootfs"] === undefined ? { rootfs: `${order.storage}:4` } : order.mounts;
  const allocated: Section = {};
  const { world } = task.sim;
  try {
    for (const [key] of mountsOf(mounts)) {
      allocated[key] = await createMount(task, id, key, mounts[key] ?? "");
    }
    const archive = findVolume(world, template, task.node) ?? die(`volume '${template}' does not exist`);
    mountAll(task, id, allocated);
    const privilege: Section = isUnprivileged ? { unprivileged: "1" } : {};
    const found = await unpackTemplate(task, archive, { ...options, ...privilege });
    getContainer(task, id).config = {
      ...found,
      hostname: `CT${id}`,
      memory: "512",
      swap: "512",
      ...options,
      ...found,
      ...privilege,
      ...allocated,
    };
  } catch (thrown) {
    for (const [, mount] of mountsOf(allocated).filter(([, { volume }]) => newVolumeOf(mounts, allocated, volume))) {
      await freeDisk(task, mount.volume);
    }
    delete world.guests[id];
    die(`unable to create CT ${id} - ${failureText(thrown)}`);
  }
  if (pool !== undefined) {
    await addGuestToPool(task, id, pool);
  }
}

/** Whether the volume was allocated for this container: volumes that the request names are kept. */
function newVolumeOf(mounts: Section, allocated: Section, volume: string): boolean {
  return Object.keys(mounts).some(
    (key) =>
      parseMount(key, allocated[key] ?? "").volume === volume && parseMount(key, mounts[key] ?? "").volume !== volume,
  );
}

/**
 * Storages for new volumes: enabled on this node, with the content type for containers, and the caller may allocate
 * there.
 */
function checkStorage({ sim, caller }: Process, id: string, where: string): void {
  const storage = getEnabledStorage(sim.world, id, where);
  if (!holds(storage, "rootdir")) {
    paramError({ storage: `storage '${id}' does not support container directories` });
  }
  caller.check(`/storage/${id}`, ["Datastore.AllocateSpace"]);
}

function splitMounts(given: Section, storage: string): { mounts: Record<string, string>; options: Section } {
  const mounts: Record<string, string> = {};
  const options: Section = {};
  for (const [key, value] of Object.entries(given)) {
    if (isMountKey(key)) {
      mounts[key] = /^\d+(?:\.\d+)?$/.test(value) ? `${storage}:${value}` : value;
    } else if (!isUnusedKey(key)) {
      options[key] = value;
    }
  }
  if (Object.keys(mounts).length > 0 && mounts["rootfs"] === undefined) {
    die("mount points configured, but 'rootfs' not set - aborting");
  }
  return { mounts, options };
}

function checkMounts(call: Process, mounts: Readonly<Record<string, string>>, where: string, storage: string): void {
  for (const [key, value] of Object.entries(mounts)) {
    const mount = parseMount(key, value);
    if (mountType(mount) === "volume") {
      checkStorage(call, mount.volume.split(":")[0] ?? "", where);
    } else if (!call.caller.isRoot) {
      die("Only root can pass arbitrary filesystem paths.");
    }
  }
  if (mounts["rootfs"] === undefined) {
    checkStorage(call, storage, where);
  }
}

const parameters = {
  node,
  vmid,
  ...containerOptions,
  ostemplate: string({ maxLength: 255 }),
  storage: string({ optional: true, format: storageIdFormat, default: "local" }),
  pool: string({ optional: true, format: poolIdFormat }),
  password: string({ optional: true, minLength: 5 }),
  "ssh-public-keys": string({ optional: true }),
  start: boolean({ optional: true, default: 0 }),
  "ha-managed": boolean({ optional: true, default: 0 }),
  bwlimit: number({ optional: true, minimum: 0 }),
  force: boolean({ optional: true }),
  restore: boolean({ optional: true }),
  unique: boolean({ optional: true, requires: "restore" }),
  "ignore-unpack-errors": boolean({ optional: true }),
};

interface CreateParams {
  readonly node: string;
  readonly vmid: number;
  readonly ostemplate: string;
  readonly storage?: string;
  readonly pool?: string;
  readonly "ssh-public-keys"?: string;
  readonly start?: 0 | 1;
  readonly "ha-managed"?: 0 | 1;
  readonly unprivileged?: 0 | 1;
  readonly restore?: 0 | 1;
  readonly force?: 0 | 1;
  readonly unique?: 0 | 1;
}

/** All refusals before the fork; returns the order for the worker. */
function prepare(call: Call, params: CreateParams): Order {
  const { world, caller } = call;
  const { vmid: id, pool, storage = "local" } = params;
  const isRestore = params.restore === 1;
  const existing = findContainer(world, id, call.node);
  const isUnprivileged = isRestore ? params.unprivileged === 1 : params.unprivileged !== 0;
  if (!isRestore && !isUnprivileged) {
    caller.check("/", ["Sys.Modify"]);
  }
  if (params["ha-managed"] === 1) {
    caller.check("/", ["Sys.Console"]);
  }
  const isOverwriting = isRestore && params.force === 1 && existing !== undefined;
  if (isOverwriting) {
    if (existing.run !== undefined) {
      die("can't overwrite running container");
    }
    checkProtection(existing, `unable to restore CT ${id}`);
  } else {
    checkVmidUnused(world, id);
  }
  if (params["ssh-public-keys"] !== undefined) {
    checkSshKeys(encodeURIComponent(params["ssh-public-keys"]));
  }
  if (pool !== undefined) {
    checkPoolExists(world, pool);
  }
  checkAllocation(call, params, isOverwriting);
  const given = Object.fromEntries(
    Object.entries(call.given).filter(([key]) => key in containerOptions && key !== "unprivileged"),
  );
  checkOptionPrivileges(call, { vmid: id, pool, old: {}, values: given, isUnprivileged });
  const content = isRestore ? "backup" : "vztmpl";
  checkVolumeAccess(world, caller, params.ostemplate, { vmid: id, content });
  const { mounts, options } = splitMounts(given, storage);
  checkMounts(call, mounts, params.node, storage);
  const stub = { config: {}, vmid: id } as Parameters<typeof normalizeOption>[1];
  const config = Object.entries(options).map(([key, value]) => {
    const checked = normalizeOption(call, stub, key, value);
    return [key, isNetworkKey(key) ? completeNetwork(call.sim, value) : checked];
  });
  return { vmid: id, template: params.ostemplate, storage, mounts, options: Object.fromEntries(config), pool };
}

/** A caller that may back up a container may also restore it. */
function checkAllocation({ caller, world }: Call, params: CreateParams, isOverwriting: boolean): void {
  const { vmid: id, pool } = params;
  const mayAllocate =
    caller.has(`/vms/${id}`, ["VM.Allocate"]) || (pool !== undefined && caller.has(`/pool/${pool}`, ["VM.Allocate"]));
  if (mayAllocate) {
    return;
  }
  if (!isOverwriting || !caller.has(`/vms/${id}`, ["VM.Backup"])) {
    permissionError();
  }
  if (world.guests[id]?.config["unprivileged"] === "1" && params.unprivileged === 0) {
    caller.check("/", ["Sys.Modify"]);
  }
}

/** `create_and_lock_config`. */
async function claim(call: Call, id: number, isRestore: boolean, force: boolean): Promise<void> {
  try {
    await withContainerLock(
      call,
      id,
      () => {
        const existing = findContainer(call.world, id, call.node);
        if (force && existing !== undefined) {
          checkLock(existing);
          existing.config["lock"] = "create";
          return;
        }
        checkVmidUnused(call.world, id);
        newContainer(call.world, id, call.node, { lock: "create" });
      },
      5,
    );
  } catch (thrown) {
    die(`unable to ${isRestore ? "restore" : "create"} CT ${id} - ${failureText(thrown)}`);
  }
}

async function restore(task: Task, order: Order, params: CreateParams, isNew: boolean): Promise<void> {
  const { vmid: id } = order;
  let isChanged = isNew;
  try {
    await restoreContainer(
      task,
      {
        ...order,
        archive: order.template,
        unique: params.unique === 1,
        unprivileged: params.unprivileged === undefined ? undefined : params.unprivileged === 1,
      },
      () => {
        isChanged = true;
      },
    );
  } catch (thrown) {
    if (isChanged) {
      delete task.sim.world.guests[id];
      removeGuestFirewall(task.sim.world, id);
    } else {
      delete task.sim.world.guests[id]?.config["lock"];
    }
    die(`unable to restore CT ${id} - ${failureText(thrown)}`);
  }
}

function addToHa(task: Task, id: number, isStarted: boolean): void {
  task.print("Add as HA resource");
  task.sim.world.ha.resources[`ct:${id}`] = { type: "ct", options: { state: isStarted ? "started" : "stopped" } };
}

export const createEndpoint = endpoint({
  method: "POST",
  path: "/nodes/{node}/lxc",
  protected: true,
  proxyTo: "node",
  permissions: { user: "all" },
  parameters,
  handler: async (call) => {
    const params = call.params as unknown as CreateParams;
    const order = prepare(call, params);
    const { vmid: id } = order;
    const isRestore = params.restore === 1;
    const isNew = findContainer(call.world, id, call.node) === undefined;
    await claim(call, id, isRestore, params.force === 1);
    const body = async (task: Task) => {
      await withContainerLock(task, id, () =>
        isRestore ? restore(task, order, params, isNew) : build(task, order, params.unprivileged !== 0),
      );
      if (params.start === 1) {
        requestStart(task, id);
      }
      if (params["ha-managed"] === 1) {
        addToHa(task, id, params.start === 1);
      }
    };
    return call.worker(isRestore ? "vzrestore" : "vzcreate", String(id), body, () => {
      if (isNew) {
        delete call.world.guests[id];
      }
    });
  },
});
