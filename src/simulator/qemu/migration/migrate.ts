import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../../core/kernel/failure.ts";
import { migrationLock } from "../../core/kernel/locks.ts";
import { onGuest } from "../../core/kernel/on-node.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { cidrFormat } from "../../core/schema/network-formats.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { node, targetStorage, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import { migrateViaHa } from "../../guests/ha.ts";
import { failureReason, type MigrationLog, withMigrationLog } from "../../guests/migration-log.ts";
import { isReplicatedTo, switchReplication } from "../../guests/replication-jobs.ts";
import { requireRootFor } from "../../guests/require-root.ts";
import { parseStorageMap, type StorageMap } from "../../guests/storage-map.ts";
import { syncReplica } from "../../storage/migrate-volume.ts";
import { getEnabledStorage, holds } from "../../storage/storages.ts";
import { freeDisk } from "../../storage/vdisk.ts";
import { findVolumeId } from "../../storage/volume-name.ts";
import { describeVolume, removeVolume } from "../../storage/volumes.ts";
import { drivesOf, parseDrive, printDrive } from "../config/drive.ts";
import { memoryMiB } from "../config/memory.ts";
import { isTrue } from "../config/perl.ts";
import { nodeMapping } from "../power/host-devices.ts";
import { checkRunning } from "../power/run-state.ts";
import { checkLock, getVm, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { localResources } from "./check.ts";
import { replicatedVolumes } from "./replicated-volumes.ts";
import { copyVolume, type LocalVolume, type Migration, scanLocalVolumes } from "./volumes.ts";

// `migrate_vm` in qemu-server `src/PVE/API2/Qemu.pm`, and `src/PVE/QemuMigrate.pm`.

/** MiB of memory that are transferred per second. */
const memoryMiBPerSecond = 1024;

interface MigrateRequest {
  readonly vmid: number;
  readonly target: string;
  /** Whether a running VM may be migrated; has no effect on a stopped one. */
  readonly online: boolean;
  readonly force: boolean;
  readonly withLocalDisks: boolean;
  readonly storageMap: StorageMap | undefined;
}

/** `check_storage_availability`: every storage must be available on both nodes. */
function checkStorages(process: Process, config: Section, target: string): void {
  const { world } = process.sim;
  for (const [, { file }] of drivesOf(config)) {
    const id = findVolumeId(file)?.storage;
    if (id === undefined) {
      continue;
    }
    const storage = getEnabledStorage(world, id, process.node);
    getEnabledStorage(world, id, target);
    const { content } = describeVolume(world, file);
    if (!holds(storage, content)) {
      die(`${file}: content type '${content}' is not available on storage '${id}'`);
    }
  }
}

function readStorageMap(call: Call, id: number, target: string): StorageMap | undefined {
  const { caller, world, given } = call;
  const text = given["targetstorage"];
  const { config } = getVm(call, id);
  if (!isTrue(text)) {
    checkStorages(call, config, target);
    return undefined;
  }
  let map: StorageMap;
  try {
    map = parseStorageMap(text);
  } catch (thrown) {
    return paramError({ targetstorage: `failed to parse storage map: ${failureText(thrown)}` });
  }
  if (!map.identity) {
    caller.checkVm(id, undefined, ["VM.Config.Disk"]);
  }
  for (const storage of [...Object.values(map.entries), ...(map.default === undefined ? [] : [map.default])]) {
    const config = getEnabledStorage(world, storage, target);
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
    if (!holds(config, "images")) {
      die(`storage '${storage}' does not support vm images`);
    }
  }
  if (map.identity) {
    checkStorages(call, config, target);
  }
  return map;
}

function readRequest(call: Call, id: number, target: string): MigrateRequest {
  const { caller, given, world } = call;
  if (target === call.node) {
    paramError({ target: "target is local node." });
  }
  if (world.nodes[target] === undefined) {
    die(`no such cluster node '${target}'`);
  }
  for (const name of ["force", "migration_type", "migration_network"]) {
    requireRootFor(caller, name, isTrue(given[name]));
  }
  checkLock(getVm(call, id));
  const online = given["online"] === "1";
  requireOnline(call, id, online);
  return {
    vmid: id,
    target,
    online,
    force: given["force"] === "1",
    withLocalDisks: given["with-local-disks"] === "1",
    storageMap: readStorageMap(call, id, target),
  };
}

/** Whether the VM runs, which is only allowed with `online`. */
function requireOnline(process: Process, id: number, online: boolean): boolean {
  const running = checkRunning(process, id);
  return running && !online ? die("can't migrate running VM without --online") : running;
}

/** The kind of mapping to which an option refers. */
function mappingType(option: string): "pci" | "usb" | "dir" {
  return option.startsWith("hostpci") ? "pci" : option.startsWith("usb") ? "usb" : "dir";
}

/** Devices of the host cannot be migrated. */
function checkDevices(
  task: Task,
  request: MigrateRequest & { readonly running: boolean },
  log: (text: string) => void,
): void {
  const { local, mapped } = localResources(getVm(task, request.vmid).config, request.running);
  const blockers = local.filter((option) => mapped[option] === undefined);
  if (blockers.length > 0 && !request.force) {
    die(`can't migrate VM which uses local devices: ${blockers.join(", ")}`);
  }
  const missing = Object.entries(mapped)
    .filter(([key, { name }]) => !nodeMapping(task.sim.world, mappingType(key), name, request.target)?.length)
    .map(([key]) => key);
  if (missing.length > 0) {
    die(`can't migrate to '${request.target}': missing mapped devices ${missing.join(", ")}`);
  }
  const names = Object.entries(mapped).map(([key, { name }]) => `${key}:${name}`);
  if (names.length > 0 && request.running) {
    die(`can't live migrate running VM which uses following mapped devices: ${names.sort().join(", ")}`);
  }
  if (blockers.length + names.length > 0) {
    log(`migrating VM which uses ${blockers.length > 0 ? "" : "mapped "}local devices`);
  }
}

async function migrate(task: Task, request: MigrateRequest, log: MigrationLog): Promise<boolean> {
  const { vmid: id, target } = request;
  const conf = loadConfig(task, id);
  checkLock(conf);
  const running = requireOnline(task, id, request.online);
  checkDevices(task, { ...request, running }, log);
  log(`starting migration of VM ${id} to node '${target}' (${task.sim.world.nodes[target]?.address})`);
  conf.config["lock"] = "migrate";
  saveConfig(task, id, conf);
  const migration: Migration = { ...request, process: task, running, log };
  const copied: { volume: LocalVolume; copy: string }[] = [];
  try {
    const { world } = task.sim;
    const replicated = isReplicatedTo(world, id, target) ? replicatedVolumes(world, getVm(task, id)) : [];
    for (const volume of scanLocalVolumes(migration, conf)) {
      if (replicated.includes(volume.volid)) {
        await syncReplica(task, volume.volid, target);
        continue;
      }
      const copy = await copyVolume(migration, volume);
      copied.push({ volume, copy });
      log(`volume '${volume.volid}' is '${copy}' on the target`);
    }
    if (running) {
      await moveMemory(task, request, log);
    }
  } catch (thrown) {
    abort(task, request, copied, log);
    throw thrown;
  }
  return finish(task, request, copied, log);
}

async function moveMemory(
  task: Task,
  { vmid: id, target }: MigrateRequest,
  log: (text: string) => void,
): Promise<void> {
  log(`starting VM ${id} on remote node '${target}'`);
  log(`start remote tunnel`);
  log(`starting online/live migration on unix:/run/qemu-server/${id}.migrate`);
  await task.sleep(memoryMiB(getVm(task, id).config["memory"]) / memoryMiBPerSecond);
  log("migration status: completed");
}

/** Removes the volumes on the target; the VM stays on its node. */
function abort(
  task: Task,
  { vmid: id, target }: MigrateRequest,
  copied: readonly { copy: string }[],
  log: (text: string) => void,
): void {
  log("aborting phase 1 - cleanup resources");
  for (const { copy } of copied) {
    removeVolume(task.sim.world, copy, target);
  }
  const conf = loadConfig(task, id);
  delete conf.config["lock"];
  saveConfig(task, id, conf);
}

/**
 * Moves the configuration with the new names of its volumes, and removes the old volumes. A volume that cannot be
 * removed does not stop the migration (qemu-server: src/PVE/QemuMigrate.pm, `phase3_cleanup`). Returns whether there
 * were such problems.
 */
async function finish(
  task: Task,
  { vmid: id, target }: MigrateRequest,
  copied: readonly { volume: LocalVolume; copy: string }[],
  log: MigrationLog,
): Promise<boolean> {
  const conf = loadConfig(task, id);
  const names = new Map(copied.map(({ volume, copy }) => [volume.volid, copy]));
  for (const section of [conf.config, conf.pending.set, ...Object.values(conf.snapshots)]) {
    renameVolumes(section, names);
  }
  delete conf.config["lock"];
  saveConfig(task, id, conf);
  let hasProblems = false;
  for (const { volume } of copied) {
    try {
      await freeDisk(task, volume.volid);
    } catch (thrown) {
      log(`removing local copy of '${volume.volid}' failed - ${failureReason(thrown)}`, " ERROR:");
      hasProblems = true;
    }
  }
  switchReplication(task.sim.world, id, task.node, target);
  getVm(task, id).node = target;
  return hasProblems;
}

/** `update_volume_ids` of pve-guest-common `src/PVE/AbstractConfig.pm`. */
function renameVolumes(section: Section, names: ReadonlyMap<string, string>): void {
  for (const [key, value] of Object.entries(section)) {
    const drive = key === "vmstate" ? { file: value } : parseDrive(key, value);
    const name = names.get(drive?.file ?? "");
    if (drive !== undefined && name !== undefined) {
      section[key] = key === "vmstate" ? name : printDrive({ ...drive, file: name });
    }
  }
}

export async function migrateInWorker(task: Task, request: MigrateRequest): Promise<void> {
  await withMigrationLog(task, (log) => withConfigLock(task, request.vmid, () => migrate(task, request, log)));
}

export const migrateEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu/{vmid}/migrate",
    ...onGuest("VM.Migrate"),
    parameters: {
      node,
      vmid,
      target: node,
      online: boolean({ optional: true }),
      force: boolean({ optional: true }),
      migration_type: string({ optional: true, enum: ["secure", "insecure"] }),
      migration_network: string({ optional: true, format: cidrFormat }),
      "with-local-disks": boolean({ optional: true }),
      targetstorage: targetStorage,
      bwlimit: integer({ optional: true, minimum: 0, default: "migrate limit from datacenter or storage config" }),
      "with-conntrack-state": boolean({ optional: true, default: 0 }),
    },
    handler: (call) => {
      const request = readRequest(call, call.params.vmid, call.params.target);
      const viaHa = migrateViaHa(call, "VM", request.vmid, request.target);
      return (
        viaHa ??
        call.worker("qmigrate", String(request.vmid), (task) =>
          task.lock(migrationLock(request.vmid), { seconds: 10 }, () => migrateInWorker(task, request)),
        )
      );
    },
  }),
];
