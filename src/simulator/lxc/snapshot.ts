import { die, failureText } from "../core/kernel/failure.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import { getSnapshot } from "../core/world/guest.ts";
import { checkRollback, deleteImageSnapshot, rollbackImage, snapshotImage } from "../storage/images.ts";
import { hasFeature } from "../storage/volumes.ts";
import { checkLock, getContainer, isTemplate, withContainerLock } from "./container.ts";
import { dropMountedUnused, mountsOf, mountType, parkVolume, parseMount } from "./mounts.ts";
import { isUnusedKey } from "./options.ts";
import { stopContainer } from "./power.ts";

// `snapshot_create`, `snapshot_delete` and `snapshot_rollback` of pve-guest-common `src/PVE/AbstractConfig.pm`, with the
// hooks of pve-container `src/PVE/LXC/Config.pm`.

const notInSnapshots = new Set(["snapstate", "snaptime", "lock", "description"]);

function snapshotOptions(section: Section): Section {
  return Object.fromEntries(Object.entries(section).filter(([key]) => !notInSnapshots.has(key) && !isUnusedKey(key)));
}

const volumesOfSection = (section: Section) => mountsOf(section).map(([, mount]) => mount);

/** One step of the work: under the configuration's lock, on the current state of the container. */
function edit<T>(task: Task, id: number, change: (guest: Guest) => T | Promise<T>): Promise<T> {
  return withContainerLock(task, id, async () => {
    const guest = getContainer(task, id);
    const result = await change(guest);
    dropMountedUnused(guest.config);
    return result;
  });
}

/** `has_feature`: every mount must be a volume with the feature. */
export function allMountsHave(
  process: Process,
  section: Section,
  feature: "snapshot" | "clone" | "copy",
  snap?: string,
) {
  return volumesOfSection(section).every(({ volume }) => hasFeature(process.sim.world, feature, volume, snap));
}

export async function createSnapshot(task: Task, id: number, name: string, description?: string): Promise<void> {
  await edit(task, id, (guest) => {
    if (isTemplate(guest)) {
      die("you can't take a snapshot if it's a template");
    }
    checkLock(guest);
    if (guest.snapshots[name] !== undefined) {
      die(`snapshot name '${name}' already used`);
    }
    if (!allMountsHave(task, guest.config, "snapshot")) {
      die("snapshot feature is not available");
    }
    guest.snapshots[name] = {
      ...snapshotOptions(guest.config),
      snapstate: "prepare",
      snaptime: String(task.sim.clock.stamp()),
      ...(description && { description: noteOf(description) }),
    };
    guest.config["lock"] = "snapshot";
  });
  const done: string[] = [];
  try {
    for (const { volume } of volumesOfSection(getSnapshot(getContainer(task, id), name))) {
      snapshotImage(task.sim.world, volume, task.node, name);
      done.push(volume);
    }
  } catch (thrown) {
    task.print("snapshot create failed: starting cleanup");
    for (const volume of done) {
      deleteImageSnapshot(task.sim.world, volume, task.node, name);
    }
    await edit(task, id, (guest) => forget(guest, name, []));
    die(failureText(thrown));
  }
  await edit(task, id, (guest) => {
    delete getSnapshot(guest, name)["snapstate"];
    delete guest.config["lock"];
    guest.config["parent"] = name;
  });
}

/** A comment as in the file. */
export function noteOf(text: string): string {
  return `${text.replace(/\n+$/, "")}\n`;
}

/** `force`: errors of a storage are only logged. */
export async function deleteSnapshot(task: Task, id: number, name: string, force: boolean): Promise<void> {
  getSnapshot(getContainer(task, id), name);
  await edit(task, id, (guest) => {
    checkLock(guest);
    guest.config["lock"] = "snapshot-delete";
  });
  const section = await edit(task, id, (guest) => {
    if (isTemplate(guest)) {
      die("you can't delete a snapshot if vm is a template");
    }
    const snapshot = getSnapshot(guest, name);
    snapshot["snapstate"] = "delete";
    return { ...snapshot };
  });
  const freed: string[] = [];
  for (const [key, { volume }] of mountsOf(section)) {
    try {
      deleteImageSnapshot(task.sim.world, volume, task.node, name);
      freed.push(volume);
    } catch (thrown) {
      if (!force) {
        throw thrown;
      }
      task.print(failureText(thrown));
    }
    if (!force) {
      await edit(task, id, (guest) => dropMount(getSnapshot(guest, name), key));
    }
  }
  await edit(task, id, (guest) => forget(guest, name, freed));
}

/** A partly deleted snapshot keeps the volume as an unused one. */
function dropMount(snapshot: Section, key: string): void {
  const { volume } = parseMount(key, snapshot[key] ?? "");
  delete snapshot[key];
  parkVolume(snapshot, volume);
}

/** Children of the snapshot get its parent; volumes that only it used become unused volumes. */
function forget({ config, snapshots }: Guest, name: string, freed: readonly string[]): void {
  const parent = snapshots[name]?.["parent"];
  for (const section of [config, ...Object.values(snapshots)].filter((candidate) => candidate["parent"] === name)) {
    delete section["parent"];
    Object.assign(section, parent !== undefined && { parent });
  }
  delete snapshots[name];
  delete config["lock"];
  for (const volume of freed) {
    parkVolume(config, volume);
  }
}

function requireRollback(guest: Guest, name: string): Section {
  if (isTemplate(guest)) {
    die("you can't rollback if vm is a template");
  }
  return getSnapshot(guest, name);
}

export async function rollbackSnapshot(task: Task, id: number, name: string): Promise<void> {
  const { world } = task.sim;
  const section = await edit(task, id, async (guest) => {
    const snapshot = requireRollback(guest, name);
    for (const { volume } of volumesOfSection(snapshot)) {
      checkRollback(world, volume, task.node, name);
    }
    if (snapshot["snapstate"] !== undefined) {
      die(`unable to rollback to incomplete snapshot (snapstate = ${snapshot["snapstate"]})`);
    }
    checkLock(guest);
    await stopContainer(task, id, { kill: true });
    guest.config["lock"] = "rollback";
    return snapshot;
  });
  for (const { volume } of volumesOfSection(section)) {
    rollbackImage(world, volume, task.node, name);
  }
  await edit(task, id, (guest) => applySnapshot(guest, name));
}

/** The snapshot's options replace the container's; volumes that it does not have become unused volumes. */
function applySnapshot(guest: Guest, name: string): void {
  const snapshot = requireRollback(guest, name);
  if (guest.config["lock"] !== "rollback") {
    die("got wrong lock");
  }
  const known = new Set(volumesOfSection(snapshot).map(({ volume }) => volume));
  for (const mount of volumesOfSection(guest.config)) {
    if (mountType(mount) === "volume" && !known.has(mount.volume)) {
      parkVolume(guest.config, mount.volume);
    }
  }
  const kept = Object.entries(guest.config).filter(([key]) => isUnusedKey(key) || key === "description");
  guest.config = { ...Object.fromEntries(kept), ...snapshotOptions(snapshot), parent: name };
  guest.pending = { set: {}, delete: {} };
}
