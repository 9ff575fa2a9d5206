import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../core/kernel/failure.ts";
import { migrationLock } from "../core/kernel/locks.ts";
import { onGuest } from "../core/kernel/on-node.ts";
import type { Process, Task } from "../core/kernel/process.ts";
import { boolean, integer, number } from "../core/schema/schema.ts";
import { node, targetStorage, vmid } from "../core/schema/standard-options.ts";
import type { Guest, Section } from "../core/world/guest.ts";
import { isHaManaged, migrateViaHa } from "../guests/ha.ts";
import { type MigrationLog, withMigrationLog } from "../guests/migration-log.ts";
import { isReplicatedTo, switchReplication } from "../guests/replication-jobs.ts";
import { mapStorage, parseStorageMap, type StorageMap } from "../guests/storage-map.ts";
import { migrateVolume, syncReplica } from "../storage/migrate-volume.ts";
import { getEnabledStorage, holds, isShared } from "../storage/storages.ts";
import { freeDisk } from "../storage/vdisk.ts";
import { parseVolumeId } from "../storage/volume-name.ts";
import { describeVolume } from "../storage/volumes.ts";
import { checkLock, getContainer, isRunning, withContainerLock } from "./container.ts";
import { mountsOf, mountType, newVolumePattern, parseMount, printMount, volumesOf } from "./mounts.ts";
import { isMountKey, isUnusedKey } from "./options.ts";
import { startContainer, stopContainer } from "./power.ts";
import { replicatedVolumes } from "./replicated-volumes.ts";

// `migrate_vm` in pve-container `src/PVE/API2/LXC.pm`, and `src/PVE/LXC/Migrate.pm`.

interface Migration {
  readonly vmid: number;
  readonly target: string;
  readonly online: boolean;
  readonly restart: boolean;
  readonly timeout: number;
  readonly storageMap: StorageMap | undefined;
}

const migratableTypes = ["dir", "zfspool", "lvmthin", "lvm", "btrfs"];

function readStorageMap(call: Call, id: number, target: string, text: string | undefined): StorageMap | undefined {
  if (text === undefined || text === "") {
    return undefined;
  }
  let map: StorageMap;
  try {
    map = parseStorageMap(text);
  } catch (thrown) {
    return paramError({ "target-storage": `failed to parse storage map: ${failureText(thrown)}` });
  }
  if (!map.identity) {
    call.caller.checkVm(id, undefined, ["VM.Config.Disk"]);
  }
  for (const storage of [...Object.values(map.entries), ...(map.default === undefined ? [] : [map.default])]) {
    const config = getEnabledStorage(call.world, storage, target);
    call.caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
    if (!holds(config, "rootdir")) {
      die(`storage '${storage}' does not support CT rootdirs`);
    }
  }
  return map;
}

/** `prepare`: all refusals before anything is changed. */
function checkMigration(task: Process, guest: Guest, { online, restart, target, storageMap }: Migration): void {
  const { world } = task.sim;
  checkLock(guest);
  if (guest.run !== undefined && online) {
    die("lxc live migration is currently not implemented");
  }
  if (guest.run !== undefined && !restart) {
    die("running container can only be migrated in restart mode at /usr/share/perl5/PVE/LXC/Migrate.pm line 56.");
  }
  for (const [key, mount] of mountsOf(guest.config)) {
    const type = mountType(mount);
    if (type === "volume") {
      checkVolumeTarget(task, mount.volume, mapStorage(storageMap, parseVolumeId(mount.volume).storage), target);
    } else if (mount["shared"] !== "1") {
      die(`cannot migrate local ${type} mount point '${key}'`);
    }
  }
  if (world.nodes[target]?.online !== true) {
    die("Can't connect to destination address using public key");
  }
}

function checkVolumeTarget({ sim, node: here }: Process, volume: string, mapped: string, target: string): void {
  const { storage: id } = parseVolumeId(volume);
  const storage = getEnabledStorage(sim.world, id, here);
  if (!holds(storage, "rootdir")) {
    die(`content type 'rootdir' is not available on storage '${id}'`);
  }
  const targetId = isShared(storage) ? id : mapped;
  if (!holds(getEnabledStorage(sim.world, targetId, target), "rootdir")) {
    die(`${volume}: content type 'rootdir' is not available on storage '${targetId}'`);
  }
}

interface LocalVolume {
  readonly volume: string;
  readonly storage: string;
}

/** `phase1`: the volumes that must be copied, or the reason why one cannot be. */
function localVolumes(task: Process, guest: Guest, migration: Migration, log: MigrationLog): LocalVolume[] {
  const inSnapshots = Object.values(guest.snapshots).flatMap(volumesOf);
  const all = new Set([...inSnapshots, ...volumesOf(guest.pending.set), ...volumesOf(guest.config)]);
  const found: LocalVolume[] = [];
  const problems: string[] = [];
  for (const volume of [...all].sort()) {
    if (newVolumePattern.test(volume)) {
      log(`volume '${volume}' does not exist (pending change?)`);
      continue;
    }
    const { storage } = describeVolume(task.sim.world, volume);
    if (isShared(storage)) {
      log(`volume '${volume}' is on shared storage '${storage.storage}'`);
      continue;
    }
    try {
      checkMovable(task, guest.vmid, volume, inSnapshots.includes(volume));
      const where = volumesOf(guest.config).includes(volume) ? "in current VM config" : "referenced by snapshot(s)";
      log(`found local volume '${volume}' (${where})`);
      found.push({ volume, storage: mapStorage(migration.storageMap, storage.storage) });
    } catch (thrown) {
      problems.push(`can't migrate local volume '${volume}': ${failureText(thrown).trimEnd()}`);
    }
  }
  for (const problem of problems) {
    log(problem, " WARN:");
  }
  return problems.length > 0 ? die("can't migrate CT - check log") : found;
}

function checkMovable({ sim }: Process, id: number, volume: string, hasSnapshot: boolean): void {
  const { storage, vmid: owner, base } = describeVolume(sim.world, volume);
  if (owner !== id) {
    die(`owned by other guest (owner = ${owner})`);
  }
  if (hasSnapshot && storage.type !== "zfspool" && storage.type !== "btrfs") {
    die("non-migratable snapshot exists");
  }
  if (!migratableTypes.includes(storage.type)) {
    die(`storage type '${storage.type}' not supported`);
  }
  if (base !== undefined) {
    die(`clone of '${base.name}'`);
  }
}

/** The worker of a migration. */
export const migrateContainer = (task: Task, migration: Migration): Promise<void> =>
  task.lock(migrationLock(migration.vmid), { seconds: 10 }, () =>
    withMigrationLog(task, (log) => withContainerLock(task, migration.vmid, () => migrate(task, migration, log))),
  );

async function migrate(task: Task, migration: Migration, log: MigrationLog): Promise<boolean> {
  const { vmid: id, target } = migration;
  const { world } = task.sim;
  const guest = getContainer(task, id);
  const wasRunning = guest.run !== undefined;
  checkMigration(task, guest, migration);
  if (wasRunning) {
    log(`shutdown CT ${id}`);
    await stopContainer(task, id, { seconds: migration.timeout, kill: false });
  }
  log(`starting migration of CT ${id} to node '${target}' (${world.nodes[target]?.address})`);
  guest.config["lock"] = "migrate";
  const copied = new Map<string, string>();
  try {
    const replicated = isReplicatedTo(world, id, target) ? replicatedVolumes(world, guest) : [];
    for (const { volume, storage } of localVolumes(task, guest, migration, log)) {
      if (replicated.includes(volume)) {
        await syncReplica(task, volume, target);
        continue;
      }
      copied.set(volume, await migrateVolume(task, volume, { target, storage, vmid: id, keepName: true }));
      log(`volume '${volume}' is '${copied.get(volume)}' on the target`);
    }
  } catch (thrown) {
    await abort(task, guest, wasRunning, log);
    throw thrown;
  }
  for (const section of [guest.config, guest.pending.set, ...Object.values(guest.snapshots)]) {
    renameVolumes(section, copied);
  }
  const hasProblems = await removeSources(task, [...copied.keys()], log);
  log("start final cleanup");
  delete guest.config["lock"];
  switchReplication(world, id, guest.node, target);
  guest.node = target;
  if (wasRunning) {
    log("start container on target node");
    task.sim.workers.fork({
      node: target,
      caller: task.caller,
      type: "vzstart",
      id: String(id),
      body: (start) => startContainer(start, id),
    });
  }
  return hasProblems;
}

async function abort(task: Task, guest: Guest, wasRunning: boolean, log: MigrationLog): Promise<void> {
  log("aborting phase 1 - cleanup resources");
  log("start final cleanup");
  delete guest.config["lock"];
  if (wasRunning) {
    log("start container on source node");
    await startContainer(task, guest.vmid);
  }
}

async function removeSources(task: Task, volumes: readonly string[], log: MigrationLog): Promise<boolean> {
  let hasProblems = false;
  for (const volume of volumes) {
    try {
      await freeDisk(task, volume);
    } catch (thrown) {
      log(`removing local copy of '${volume}' failed - ${failureText(thrown)}`, " ERROR:");
      hasProblems = true;
    }
  }
  return hasProblems;
}

function renameVolumes(section: Section, names: ReadonlyMap<string, string>): void {
  for (const key of Object.keys(section).filter((name) => isMountKey(name) || isUnusedKey(name))) {
    const mount = parseMount(key, section[key] ?? "");
    const volume = names.get(mount.volume);
    if (volume !== undefined) {
      section[key] = isUnusedKey(key) ? volume : printMount(key, { ...mount, volume });
    }
  }
}

const common = {
  path: "/nodes/{node}/lxc/{vmid}/migrate",
  ...onGuest("VM.Migrate"),
} as const;

export const containerMigrateEndpoints = [
  endpoint({
    ...common,
    method: "GET",
    parameters: { node, vmid, target: { ...node, optional: true } },
    handler: (call) => {
      const guest = getContainer(call, call.params.vmid);
      checkLock(guest);
      return {
        running: guest.run === undefined ? 0 : 1,
        "allowed-nodes": Object.keys(call.world.nodes).filter((name) => name !== call.node),
        "not-allowed-nodes": {},
        ...(isHaManaged(call.world, guest.vmid) && { "dependent-ha-resources": [] }),
      };
    },
  }),
  endpoint({
    ...common,
    method: "POST",
    parameters: {
      node,
      vmid,
      target: node,
      "target-storage": targetStorage,
      online: boolean({ optional: true }),
      restart: boolean({ optional: true }),
      timeout: integer({ optional: true, default: 180 }),
      bwlimit: number({ optional: true, minimum: 0, default: "migrate limit from datacenter or storage config" }),
    },
    handler: (call) => {
      const { vmid: id, target, online, restart, timeout = 180 } = call.params;
      if (target === call.node) {
        paramError({ target: "target is local node." });
      }
      if (call.world.nodes[target] === undefined) {
        die(`no such cluster node '${target}'`);
      }
      getContainer(call, id);
      if (isRunning(call, id) && online !== 1 && restart !== 1) {
        die("can't migrate running container without --online or --restart");
      }
      const storageMap = readStorageMap(call, id, target, call.params["target-storage"]);
      const migration = { vmid: id, target, online: online === 1, restart: restart === 1, timeout, storageMap };
      return (
        migrateViaHa(call, "CT", id, target) ??
        call.worker("vzmigrate", String(id), (task) => migrateContainer(task, migration))
      );
    },
  }),
];
