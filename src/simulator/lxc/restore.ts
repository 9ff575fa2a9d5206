import { die } from "../core/kernel/failure.ts";
import type { Task } from "../core/kernel/process.ts";
import type { Section } from "../core/world/guest.ts";
import type { BackupArchive } from "../core/world/storage.ts";
import { addGuestToPool } from "../pools/membership.ts";
import { copySeconds, getEnabledStorage } from "../storage/storages.ts";
import { createBaseDisk, freeDisk } from "../storage/vdisk.ts";
import { parseVolumeId } from "../storage/volume-name.ts";
import { findVolume, hasFeature, pathOf } from "../storage/volumes.ts";
import { getContainer } from "./container.ts";
import { createMount, mountAll, mountsOf, mountType, printMount, removeVolume, volumesOf } from "./mounts.ts";
import { checkNetworkAccess, renewNetwork } from "./networks.ts";
import { isMountKey, isNetworkKey, isUnusedKey } from "./options.ts";

// Restoring a container: `create_vm` of pve-container `src/PVE/API2/LXC.pm` and `src/PVE/LXC/Create.pm`.

export interface ContainerRestore {
  readonly vmid: number;
  readonly archive: string;
  /** The requested mounts; empty if they come from the archive. */
  readonly mounts: Section;
  /** The storage for the volumes of the archive. */
  readonly storage: string;
  readonly options: Section;
  readonly pool: string | undefined;
  readonly unique: boolean;
  /** As requested; undefined: as in the archive. */
  readonly unprivileged: boolean | undefined;
}

const GiB = 2 ** 30;

/** The archive's mounts as orders for new volumes, and bind and device mounts, which only root may restore. */
function mountsOfArchive(task: Task, { config }: BackupArchive, storage: string): { orders: Section; late: Section } {
  const orders: Section = {};
  const late: Section = {};
  for (const [key, { size, ...mount }] of mountsOf(config)) {
    const type = mountType(mount);
    if (type === "volume") {
      const bytes = size ?? die(`unable to detect disk size - please specify ${key} (size)`);
      orders[key] = printMount(key, { ...mount, volume: `${storage}:${Number(bytes) / GiB}` });
    } else if (key === "rootfs") {
      die(`restoring rootfs to ${type} mount is only possible by specifying -rootfs manually!`);
    } else if (!task.caller.isRoot) {
      die(`restoring '${key}' to ${type} mount is only possible for root`);
    } else {
      late[key] = printMount(key, mount);
    }
  }
  if (orders["rootfs"] === undefined) {
    die("rootfs configuration could not be recovered, please check and specify manually!");
  }
  return { orders, late };
}

/** `sanitize_and_merge_config`: requested options override those of the archive. */
function mergeConfig(task: Task, { config }: BackupArchive, given: Section, unique: boolean): Section {
  const { world } = task.sim;
  const left = ["rootfs", "unprivileged", "parent", "template", "lock"];
  const merged: Section = { ...given };
  for (const [key, value] of Object.entries(config)) {
    if (left.includes(key) || isMountKey(key) || isUnusedKey(key)) {
      continue;
    }
    if (isNetworkKey(key) && given[key] === undefined) {
      checkNetworkAccess(world, task.caller, value);
    }
    if (isNetworkKey(key) && unique) {
      merged[key] = renewNetwork(task.sim, value);
    } else if (given[key] === undefined) {
      merged[key] = value;
    }
  }
  return merged;
}

/**
 * Runs under the configuration's lock. `begun` is called as soon as the previous container is changed: from then on a
 * failure removes it.
 */
export async function restoreContainer(task: Task, restore: ContainerRestore, begun: () => void): Promise<void> {
  const { vmid: id, archive: volid, options, unique, pool } = restore;
  const { world } = task.sim;
  const guest = getContainer(task, id);
  if (guest.run !== undefined) {
    die("can't overwrite running container");
  }
  task.print(`recovering backed-up configuration from '${volid}'`);
  const volume = findVolume(world, volid, task.node) ?? die(`volume '${volid}' does not exist`);
  const archive = volume.backup?.type === "lxc" ? volume.backup : die("ERROR: archive contains no configuration file");
  for (const [key, value] of Object.entries(archive.config)) {
    if (isNetworkKey(key) && options[key] === undefined) {
      checkNetworkAccess(world, task.caller, value);
    }
  }
  const isUnprivileged = restore.unprivileged ?? archive.config["unprivileged"] === "1";
  const isNew = Object.keys(guest.config).length === 1;
  if (!isUnprivileged && (isNew || guest.config["unprivileged"] === "1")) {
    task.caller.check("/", ["Sys.Modify"]);
  }
  const { orders, late } =
    Object.keys(restore.mounts).length > 0
      ? { orders: restore.mounts, late: {} }
      : mountsOfArchive(task, archive, restore.storage);
  begun();
  const allocated: Section = {};
  try {
    for (const [key] of mountsOf(orders)) {
      allocated[key] = await createMount(task, id, key, orders[key] ?? "");
    }
    for (const old of new Set(volumesOf(guest.config))) {
      await removeVolume(task, id, old);
    }
    mountAll(task, id, allocated);
    task.print(`restoring '${volid}' now..`);
    task.print(`extracting archive '${pathOf(world, volid)}'`);
    const source = getEnabledStorage(world, parseVolumeId(volid).storage, task.node);
    await task.sleep(copySeconds(volume.size, source));
    task.print("merging backed-up and given configuration..");
    const merged = mergeConfig(task, archive, options, unique);
    guest.config = {
      hostname: `CT${id}`,
      memory: "512",
      swap: "512",
      ...merged,
      ...(isUnprivileged && { unprivileged: "1" }),
      ...allocated,
      ...late,
    };
    guest.snapshots = {};
    guest.pending = { set: {}, delete: {} };
    if (archive.firewall !== undefined) {
      world.firewall[`guest/${id}`] = structuredClone(archive.firewall);
    }
    if (archive.config["template"] === "1") {
      await convertToTemplate(task, guest.config);
    }
  } catch (thrown) {
    for (const [, mount] of mountsOf(allocated).filter(([, candidate]) => mountType(candidate) === "volume")) {
      await freeDisk(task, mount.volume);
    }
    throw thrown;
  }
  if (pool !== undefined) {
    await addGuestToPool(task, id, pool);
  }
}

async function convertToTemplate(task: Task, config: Section): Promise<void> {
  task.print("Convert restored container to template...");
  for (const [key, mount] of mountsOf(config)) {
    if (!hasFeature(task.sim.world, "template", mount.volume)) {
      die(`Template feature is not available for '${mount.volume}'`);
    }
    config[key] = printMount(key, { ...mount, volume: await createBaseDisk(task, mount.volume) });
  }
  config["template"] = "1";
}
