import type { Call } from "../../core/kernel/endpoint.ts";
import { die, failureText, paramError } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { parsePropertyString, printPropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import type { BackupArchive, Volume } from "../../core/world/storage.ts";
import { randomMac } from "../../guests/mac-address.ts";
import { addGuestToPool } from "../../pools/membership.ts";
import { checkVolumeAccess } from "../../storage/access.ts";
import { deleteImageSnapshot } from "../../storage/images.ts";
import { copySeconds, getStorage, holds, resolveFormat } from "../../storage/storages.ts";
import { allocateDisk } from "../../storage/vdisk.ts";
import { findVolumeId, parseVolumeId } from "../../storage/volume-name.ts";
import { describeVolume, findVolume, hasFeature, pathOf } from "../../storage/volumes.ts";
import type { VmConfig } from "../config/config-text.ts";
import { smbios1Format } from "../config/device-formats.ts";
import { drivesOf, isCdrom, isCloudInit, isOrdinaryCdrom, parseDrive, printDrive } from "../config/drive.ts";
import { parseNet, printNet } from "../config/net.ts";
import { isDriveSlot } from "../config/options.ts";
import { cloudInitSize } from "../disks/clone-drive.ts";
import { freeQuietly } from "../disks/create-disks.ts";
import type { Settings } from "../disks/drive-checks.ts";
import { addUnusedVolume, ownsVolume } from "../disks/unused-volumes.ts";
import { startVm } from "../power/start.ts";
import { checkBridgeAccess } from "../update/bridge-access.ts";
import { checkLock, checkProtection, getVm, isTemplate, loadConfig, saveConfig, withConfigLock } from "../vm.ts";
import { createBaseImages } from "./template.ts";

// Restoring a VM: `create_vm` of qemu-server `src/PVE/API2/Qemu.pm`, `restore_vma_archive` of `src/PVE/QemuServer.pm`.

export interface Restore {
  readonly vmid: number;
  /** The volume id of the archive. */
  readonly archive: string;
  readonly storage: string | undefined;
  readonly pool: string | undefined;
  readonly unique: boolean;
  readonly live: boolean;
  readonly settings: Settings;
}

/** All refusals about the archive before a task is started. */
export function checkArchive(call: Call, id: number, settings: Settings, archive: string): void {
  const { world, caller, node: here } = call;
  const slot = Object.keys(settings).sort().find(isDriveSlot);
  if (slot !== undefined) {
    paramError({ [slot]: "option conflicts with option 'archive'" });
  }
  if (archive === "-") {
    die("pipe requires cli environment");
  }
  checkVolumeAccess(world, caller, archive, { vmid: id, content: "backup" });
  if (findVolumeId(archive) === undefined) {
    die(`can't find file '${archive}'`);
  }
  if (findVolume(world, archive, here) === undefined) {
    die(`volume '${archive}' does not exist`);
  }
}

/** `create_and_lock_config` for a VM that may already exist. */
export async function claimForRestore(process: Process, id: number, force: boolean, create: () => void): Promise<void> {
  try {
    await withConfigLock(
      process,
      id,
      () => {
        const existing = process.sim.world.guests[id];
        if (existing === undefined) {
          create();
          return;
        }
        if (!force || existing.type !== "qemu" || existing.node !== process.node) {
          die(`${existing.type === "qemu" ? "VM" : "CT"} ${id} already exists on node '${existing.node}'`);
        }
        checkLock(existing);
        existing.config["lock"] = "create";
      },
      { seconds: 5 },
    );
  } catch (thrown) {
    die(`unable to restore VM ${id} - ${failureText(thrown)}`);
  }
}

/** The worker; after a failed restore the VM stays in its intermediate state, without its lock. */
export async function restoreInWorker(task: Task, restore: Restore): Promise<void> {
  const { vmid: id } = restore;
  let isRestored = false;
  try {
    const guest = getVm(task, id);
    checkProtection(guest, `unable to restore VM ${id} -`);
    if (guest.run !== undefined) {
      die(`unable to restore VM ${id} - vm is running`);
    }
    await withConfigLock(
      task,
      id,
      async () => {
        await restoreArchive(task, restore);
        isRestored = true;
        await convertTemplate(task, id);
      },
      { seconds: 1 },
    );
    if (restore.live) {
      await startVm(task, id, {});
    }
  } catch (thrown) {
    delete task.sim.world.guests[id]?.config["lock"];
    task.print(
      isRestored
        ? `error after data was restored, VM disks should be OK but config may require adaptions. VM ${id} state is NOT cleaned up.`
        : `error before or during data restore, some or all disks were not completely restored. VM ${id} state is NOT cleaned up.`,
    );
    throw thrown;
  }
}

async function convertTemplate(task: Task, id: number): Promise<void> {
  const conf = loadConfig(task, id);
  if (isTemplate(conf)) {
    task.print("Convert to template.");
    await createBaseImages(task, id, conf);
  }
}

async function restoreArchive(task: Task, restore: Restore): Promise<void> {
  const { vmid: id, archive: volid, live, settings, pool } = restore;
  const { world } = task.sim;
  const volume = findVolume(world, volid, task.node) ?? die(`volume '${volid}' does not exist`);
  const archive = volume.backup;
  if (archive?.type === "qemu") {
    checkBridgeAccess(task, { ...archive.config, ...settings });
  }
  const isOnServer = getStorage(world, parseVolumeId(volid).storage).type === "pbs";
  if (live && !isOnServer) {
    die("live-restore is only compatible with backup images from a Proxmox Backup Server");
  }
  const path = isOnServer ? volid : pathOf(world, volid);
  if (!(isOnServer || /\.vma(?:\.|$)/.test(volid)) || archive?.type !== "qemu") {
    const given = Object.keys(settings);
    die(
      given.length > 0
        ? `cannot pass along options (${given.join(" ")}) when restoring from tar archive`
        : `ERROR: file '${path}' does not look like a QemuServer vzdump backup`,
    );
  }
  announce(task, path, archive, volume);
  const map = await allocateVolumes(task, restore, archive);
  const config: Section = { ...restoredConfig(task, archive.config, map, restore.unique), ...(settings as Section) };
  checkBridgeAccess(task, config);
  const conf: VmConfig = { config, pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: {} };
  if (archive.firewall !== undefined) {
    world.firewall[`guest/${id}`] = structuredClone(archive.firewall);
  }
  saveConfig(task, id, conf);
  task.print("rescan volumes...");
  rescan(task, id, conf);
  if (pool !== undefined) {
    await addGuestToPool(task, id, pool);
  }
}

/** The output of `vma extract` for the archive. */
function announce(task: Task, path: string, archive: BackupArchive, { ctime }: Volume): void {
  const temporary = `/var/tmp/vzdumptmp${1000 + task.sim.random.below(30_000)}`;
  task.print(`restore vma archive: vma extract -v -r ${temporary}.fifo ${path} ${temporary}`);
  task.print("CFG: size: 512 name: qemu-server.conf");
  for (const [index, { slot, size }] of archive.disks.entries()) {
    task.print(`DEV: dev_id=${index + 1} size: ${size} devname: drive-${slot}`);
  }
  const [day, month, date, year, clock] = new Date(ctime * 1000).toUTCString().replace(",", "").split(" ");
  task.print(`CTIME: ${day} ${date} ${month} ${clock} ${year}`);
}

interface Device {
  readonly slot: string;
  readonly storage: string;
  readonly format: string;
  readonly size: number;
  readonly isCloudInit: boolean;
}

/**
 * `parse_backup_hints`: the target of each disk; storages must accept images and the caller must be allowed to allocate
 * there.
 */
function devicesOf(task: Task, { config, disks }: BackupArchive, requested: string | undefined): Device[] {
  const { world } = task.sim;
  const drives = disks.map(({ slot, size, storage, format }) => ({
    slot,
    size,
    format: format || "raw",
    storage: requested ?? (storage || "local"),
    isCloudInit: false,
  }));
  const cloudInit = drivesOf(config)
    .filter(([, drive]) => isCloudInit(drive))
    .map(([slot, { file }]) => ({
      slot,
      size: cloudInitSize,
      format: /\.(\w+)$/.exec(file)?.[1] ?? "raw",
      storage: requested ?? parseVolumeId(file).storage,
      isCloudInit: true,
    }));
  const devices = [...drives, ...cloudInit].sort((a, b) => (a.slot < b.slot ? -1 : 1));
  for (const { storage: id } of devices) {
    if (!holds(getStorage(world, id), "images")) {
      die(`Content type 'images' is not available on storage '${id}'`);
    }
    if (!task.caller.isRoot) {
      task.caller.check(`/storage/${id}`, ["Datastore.AllocateSpace"]);
    }
  }
  return devices;
}

async function allocateVolumes(task: Task, { vmid: id, storage }: Restore, archive: BackupArchive): Promise<Section> {
  const { world } = task.sim;
  const devices = devicesOf(task, archive, storage);
  await removeOldVolumes(task, id, new Set(devices.map(({ slot }) => slot)));
  const map: Section = {};
  try {
    for (const device of devices) {
      const target = getStorage(world, device.storage);
      const format = resolveFormat(target, device.format);
      const extension = target.options["path"] === undefined ? "" : `.${format}`;
      const name = device.isCloudInit ? `vm-${id}-cloudinit${extension}` : undefined;
      const volid = await allocateDisk(task, { storage: device.storage, vmid: id, format, name, size: device.size });
      task.print(`new volume ID is '${volid}'`);
      map[device.slot] = volid;
    }
    for (const { slot, size, storage: place } of devices.filter((device) => !device.isCloudInit)) {
      const volid = map[slot] ?? "";
      const zeros = hasFeature(world, "sparseinit", volid) ? 0 : 1;
      task.print(`map 'drive-${slot}' to '${pathOf(world, volid)}' (write zeros = ${zeros})`);
      await task.sleep(copySeconds(size, getStorage(world, place)));
    }
  } catch (thrown) {
    await freeQuietly(task, Object.values(map));
    throw thrown;
  }
  const total = devices.reduce((sum, { size, isCloudInit: isEmpty }) => sum + (isEmpty ? 0 : size), 0);
  task.print(`total bytes read ${total}, sparse bytes ${total} (100%)`);
  task.print("space reduction due to 4K zero blocks 0%");
  return map;
}

/** `restore_cleanup_oldconf`: removes the disks that are restored; the others stay without their snapshots. */
async function removeOldVolumes(task: Task, id: number, slots: ReadonlySet<string>): Promise<void> {
  const { world } = task.sim;
  const { config, snapshots } = getVm(task, id);
  const own = drivesOf(config).filter(([, drive]) => !isOrdinaryCdrom(drive) && ownsVolume(world, id, drive.file));
  const states = Object.values(snapshots).flatMap(({ vmstate }) => vmstate ?? []);
  const replaced = own.filter(([slot]) => slots.has(slot)).map(([, { file }]) => file);
  await freeQuietly(task, [...replaced, ...states]);
  for (const [, { file }] of own.filter(([slot, drive]) => !slots.has(slot) && !isCdrom(drive))) {
    for (const name of Object.keys(snapshots)) {
      deleteImageSnapshot(world, file, task.node, name);
    }
  }
}

/** `restore_update_config_line` for every line of the archived file. */
function restoredConfig(task: Task, archived: Section, map: Section, unique: boolean): Section {
  const { sim } = task;
  const config: Section = {};
  const comments: string[] = archived["description"] === undefined ? [] : [archived["description"]];
  for (const [key, value] of Object.entries(archived)) {
    const drive = isDriveSlot(key) ? parseDrive(key, value) : undefined;
    if (drive?.["backup"] === "0") {
      comments.push(`${key}: ${value}`); // the line is kept as a comment
    } else if (drive !== undefined && map[key] !== undefined) {
      const { format: _format, ...rest } = drive;
      config[key] = printDrive({ ...rest, file: map[key] });
    } else if (/^net\d+$/.test(key) && unique) {
      config[key] = printNet({ ...parseNet(value), macaddr: randomMac(task.sim) });
    } else if (key === "vmgenid" && value !== "0") {
      config[key] = sim.random.uuid();
    } else if (key === "smbios1" && unique) {
      const smbios = { ...parsePropertyString(smbios1Format, value), uuid: sim.random.uuid() };
      config[key] = printPropertyString(smbios1Format, smbios);
    } else if (key !== "description" && key !== "lock" && key !== "parent") {
      config[key] = value;
    }
  }
  return comments.length === 0 ? config : { ...config, description: comments.join("\n") };
}

/** `rescan`: volumes of the VM that are not in its configuration become unused ones. */
function rescan(task: Task, id: number, conf: VmConfig): void {
  const { world } = task.sim;
  const used = new Set(drivesOf(conf.config).map(([, { file }]) => file));
  const orphans = world.volumes.filter(
    ({ volid, vmid, content, node }) =>
      vmid === id &&
      content === "images" &&
      (node ?? task.node) === task.node &&
      !used.has(volid) &&
      holds(describeVolume(world, volid).storage, "images"),
  );
  for (const { volid } of orphans) {
    addUnusedVolume(conf.config, volid);
  }
  if (orphans.length > 0) {
    saveConfig(task, id, conf);
  }
}
