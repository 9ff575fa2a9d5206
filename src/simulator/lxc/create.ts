import { type Call, endpoint } from "../kernel/endpoint.ts";
import { die, failureText, paramError, permissionError } from "../kernel/failure.ts";
import type { Process, Task } from "../kernel/process.ts";
import { addGuestToPool, checkPoolExists } from "../pools/membership.ts";
import { poolIdFormat } from "../pools/pool-id.ts";
import { checkSshKeys } from "../qemu/ssh-keys.ts";
import { storageIdFormat } from "../schema/formats.ts";
import { boolean, number, string } from "../schema/schema.ts";
import { node, vmid } from "../schema/standard-options.ts";
import { checkVolumeAccess } from "../storage/access.ts";
import { getEnabledStorage, holds } from "../storage/storages.ts";
import { freeDisk } from "../storage/vdisk.ts";
import { findVolume } from "../storage/volumes.ts";
import type { Section } from "../world/guest.ts";
import { checkVmidUnused, getContainer, newContainer, withContainerLock } from "./container.ts";
import { createMount, mountAll, mountsOf, mountType, parseMount } from "./mounts.ts";
import { completeNetwork } from "./networks.ts";
import { containerOptions, isMountKey, isNetworkKey, isUnusedKey } from "./options.ts";
import { requestStart } from "./power.ts";
import { checkOptionPrivileges } from "./privileges.ts";
import { unpackTemplate } from "./unpack.ts";
import { normalizeOption } from "./update.ts";

// pve-container `src/PVE/API2/LXC.pm`, `create_vm`. Backups do not exist here, so nothing is restored.

interface Order {
  readonly vmid: number;
  readonly template: string;
  /** Mounts by key, with a storage before bare sizes. */
  readonly mounts: Section;
  readonly options: Section;
  readonly pool: string | undefined;
}

/** Allocates and unpacks; what was allocated is freed if anything goes wrong. */
async function build(task: Task, { vmid: id, template, mounts, options, pool }: Order): Promise<void> {
  const allocated: Section = {};
  const { world } = task.sim;
  try {
    for (const [key] of mountsOf(mounts)) {
      allocated[key] = await createMount(task, id, key, mounts[key] ?? "");
    }
    const archive = findVolume(world, template, task.node) ?? die(`volume '${template}' does not exist`);
    mountAll(task, id, allocated);
    const found = await unpackTemplate(task, archive, options);
    getContainer(task, id).config = {
      ...found,
      hostname: `CT${id}`,
      memory: "512",
      swap: "512",
      ...options,
      ...found,
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

/** Whether the volume was allocated for this container: what the request named itself stays. */
function newVolumeOf(mounts: Section, allocated: Section, volume: string): boolean {
  return Object.keys(mounts).some(
    (key) =>
      parseMount(key, allocated[key] ?? "").volume === volume && parseMount(key, mounts[key] ?? "").volume !== volume,
  );
}

/** Storages that will hold something: enabled here, meant for containers, and the caller may allocate. */
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
}

/** Everything PVE refuses before it forks; returns what is to be built. */
function prepare(call: Call, params: CreateParams): Order {
  const { world, caller } = call;
  const { vmid: id, pool, storage = "local" } = params;
  const isUnprivileged = params.unprivileged !== 0;
  if (!isUnprivileged) {
    caller.check("/", ["Sys.Modify"]);
  }
  if (params["ha-managed"] === 1) {
    caller.check("/", ["Sys.Console"]);
  }
  checkVmidUnused(world, id);
  if (params["ssh-public-keys"] !== undefined) {
    checkSshKeys(encodeURIComponent(params["ssh-public-keys"]));
  }
  if (pool !== undefined) {
    checkPoolExists(world, pool);
  }
  const isAllowed =
    caller.has(`/vms/${id}`, ["VM.Allocate"]) || (pool !== undefined && caller.has(`/pool/${pool}`, ["VM.Allocate"]));
  if (!isAllowed) {
    permissionError();
  }
  const given = Object.fromEntries(
    Object.entries(call.given).filter(([key]) => key in containerOptions && key !== "unprivileged"),
  );
  checkOptionPrivileges(call, { vmid: id, pool, old: {}, values: given, isUnprivileged });
  const content = params.restore === 1 ? "backup" : "vztmpl";
  checkVolumeAccess(world, caller, params.ostemplate, { vmid: id, content });
  const { mounts, options } = splitMounts(given, storage);
  checkMounts(call, mounts, params.node, storage);
  const stub = { config: {}, vmid: id } as Parameters<typeof normalizeOption>[1];
  const config = Object.entries(options).map(([key, value]) => [
    key,
    isNetworkKey(key) ? completeNetwork(call.sim, value) : normalizeOption(call, stub, key, value),
  ]);
  return {
    vmid: id,
    template: params.ostemplate,
    mounts: mounts["rootfs"] === undefined ? { rootfs: `${storage}:4` } : mounts,
    options: { ...Object.fromEntries(config), ...(isUnprivileged && { unprivileged: "1" }) },
    pool,
  };
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
    const order = prepare(call as unknown as Call, params);
    const { vmid: id } = order;
    await withContainerLock(
      call,
      id,
      () => {
        checkVmidUnused(call.world, id);
        newContainer(call.world, id, call.node, { lock: "create" });
      },
      5,
    ).catch((thrown: unknown) => die(`unable to create CT ${id} - ${failureText(thrown)}`));
    return call.worker(params.restore === 1 ? "vzrestore" : "vzcreate", String(id), async (task) => {
      await withContainerLock(task, id, () => build(task, order));
      if (params.start === 1) {
        requestStart(task, id);
      }
      if (params["ha-managed"] === 1) {
        task.print("Add as HA resource");
        const state = params.start === 1 ? "started" : "stopped";
        call.world.ha.resources[`ct:${id}`] = { type: "ct", options: { state } };
      }
    });
  },
});
