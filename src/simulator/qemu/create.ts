import { type Call, endpoint } from "../kernel/endpoint.ts";
import { die, failureText, paramError, permissionError, raise } from "../kernel/failure.ts";
import type { Process, Task } from "../kernel/process.ts";
import { addGuestToPool, checkPoolExists } from "../pools/membership.ts";
import { poolIdFormat } from "../pools/pool-id.ts";
import { printPropertyString } from "../schema/property-string.ts";
import { boolean, integer, string } from "../schema/schema.ts";
import { node, storageId, vmid } from "../schema/standard-options.ts";
import { checkVolumeAccess } from "../storage/access.ts";
import { getImage } from "../storage/images.ts";
import { findVolumeId } from "../storage/volume-name.ts";
import type { Guest, Section } from "../world/guest.ts";
import { checkBridgeAccess } from "./bridge-access.ts";
import { defaultBootDevices, printBootOrder } from "./config/boot.ts";
import type { VmConfig } from "./config/config-text.ts";
import { metaFormat } from "./config/device-formats.ts";
import { pinMachine } from "./config/machine.ts";
import { completeNet, netsOf } from "./config/net.ts";
import { isDriveSlot, requestOptions } from "./config/options.ts";
import { isTrue } from "./config/perl.ts";
import { createDisks, freeQuietly } from "./create-disks.ts";
import { checkCpuModelAccess, checkDevicePrivileges, checkNewSerialPort } from "./device-privileges.ts";
import { checkDriveParameters, checkStorageAccess, type Settings } from "./drive-checks.ts";
import { checkOptionPrivileges } from "./option-privileges.ts";
import { settingsOf } from "./settings.ts";
import { checkSshKeys } from "./ssh-keys.ts";
import { requestStart } from "./start.ts";
import { checkTagPrivileges, normaliseTags, tagsOfNewVm } from "./tags.ts";
import { checkClipboard } from "./update-options.ts";
import { saveConfig, withConfigLock } from "./vm.ts";

// `create_vm` in qemu-server `src/PVE/API2/Qemu.pm`.

const controls = {
  archive: string({ optional: true, maxLength: 255 }),
  storage: { ...storageId, optional: true },
  force: boolean({ optional: true, requires: "archive" }),
  unique: boolean({ optional: true, requires: "archive" }),
  "live-restore": boolean({ optional: true }),
  pool: string({ optional: true, format: poolIdFormat }),
  bwlimit: integer({ optional: true, minimum: 0, default: "restore limit from datacenter or storage config" }),
  start: boolean({ optional: true, default: 0 }),
  "ha-managed": boolean({ optional: true, default: 0 }),
  "import-working-storage": { ...storageId, optional: true },
} as const;

interface Creation {
  readonly vmid: number;
  readonly settings: Settings;
  readonly pool: string | undefined;
  readonly storage: string | undefined;
  readonly start: boolean;
  readonly haManaged: boolean;
}

function checkRights(call: Call, { vmid: id, pool, storage, start, haManaged }: Creation): void {
  const { caller } = call;
  if (pool !== undefined) {
    checkPoolExists(call.world, pool);
  }
  if (storage !== undefined) {
    caller.check(`/storage/${storage}`, ["Datastore.AllocateSpace"]);
  }
  if (haManaged) {
    caller.check("/", ["Sys.Console"]);
  }
  if (start) {
    caller.checkVm(id, pool, ["VM.PowerMgmt"]);
  }
  const mayAllocate =
    caller.has(`/vms/${id}`, ["VM.Allocate"]) || (pool !== undefined && caller.has(`/pool/${pool}`, ["VM.Allocate"]));
  if (!mayAllocate) {
    permissionError();
  }
}

/** Every option's own checks, in PVE's order; completes the network devices. */
function checkSettings(call: Call, { vmid: id, settings, pool, storage }: Creation): void {
  const { caller } = call;
  const options = Object.keys(settings);
  checkStorageAccess(call, settings, {
    vmid: id,
    defaultStorage: storage,
    workingStorage: call.given["import-working-storage"],
  });
  checkOptionPrivileges(caller, id, pool, options);
  for (const option of options.filter((name) => settings[name] !== undefined)) {
    const value = settings[option] ?? "";
    if (/^serial\d+$/.test(option)) {
      checkNewSerialPort(caller, { vmid: id, pool }, option, value);
    } else {
      checkDevicePrivileges(caller, { vmid: id, pool }, option, value);
    }
  }
  checkBridgeAccess(call, settings);
  checkCpuModelAccess(caller, settings["cpu"]);
  checkDriveParameters(call.world, settings);
  for (const [key, value] of netsOf(settings)) {
    settings[key] = completeNet(call, value);
  }
}

/** `create_and_lock_config`: claims the VMID with a file that only says `lock: create`. */
async function claimVmid(process: Process, id: number): Promise<void> {
  const { world } = process.sim;
  const claim = () => {
    const taken = world.guests[id];
    if (taken !== undefined) {
      die(`${taken.type === "qemu" ? "VM" : "CT"} ${id} already exists on node '${taken.node}'`);
    }
    world.guests[id] = newGuest(id, process.node, { lock: "create" });
  };
  try {
    await withConfigLock(process, id, claim, { seconds: 5 });
  } catch (thrown) {
    die(`unable to create VM ${id} - ${failureText(thrown)}`);
  }
}

/** A VM that has just got its configuration file. */
export function newGuest(id: number, nodeName: string, config: Section): Guest {
  return {
    vmid: id,
    type: "qemu",
    node: nodeName,
    config,
    pending: { set: {}, delete: {} },
    cloudinit: {},
    snapshots: {},
    run: undefined,
    behaviour: { agent: true, acpi: true },
  };
}

/** What the server adds to a new VM that the request does not say. */
function completeConfig(process: Process, id: number, config: Section): void {
  const { world, random } = process.sim;
  if (!isTrue(config["boot"])) {
    config["boot"] = printBootOrder(defaultBootDevices(config));
  }
  checkClipboard(config["vga"]);
  config["smbios1"] ||= `uuid=${random.uuid()}`;
  const arch = config["arch"] ?? "x86_64";
  if (arch !== "aarch64" && (config["vmgenid"] ?? "1") === "1") {
    config["vmgenid"] = random.uuid();
  }
  const { machine, ostype } = config;
  const { qemuVersion } = world.cluster;
  const pinned = pinMachine({ machine, ostype, arch, qemuVersion }, (line) => process.print(line));
  if (pinned !== "") {
    config["machine"] = pinned;
  }
  if (config["tags"] !== undefined) {
    checkTagPrivileges(world, process.caller, id, tagsOfNewVm, config["tags"]);
    config["tags"] = normaliseTags(world, config["tags"]);
  }
}

function metaInfo({ sim }: Process): string {
  const ctime = String(Math.floor(sim.clock.now()));
  return printPropertyString(metaFormat, { "creation-qemu": sim.world.cluster.qemuVersion, ctime });
}

async function create(task: Task, creation: Creation): Promise<void> {
  const { vmid: id, settings, pool, storage } = creation;
  const config = { ...(settings as Section), meta: metaInfo(task) };
  const conf: VmConfig = { config, pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: {} };
  let volumes: readonly string[] = [];
  try {
    const { drives, created } = await createDisks(task, { vmid: id, conf, defaultStorage: storage }, settings);
    volumes = created;
    Object.assign(config, drives);
    completeConfig(task, id, config);
    saveConfig(task, id, conf);
  } catch (thrown) {
    await freeQuietly(task, volumes);
    die(`unable to create VM ${id} - ${failureText(thrown)}`);
  }
  if (pool !== undefined) {
    await addGuestToPool(task, id, pool);
  }
}

async function createInWorker(task: Task, creation: Creation): Promise<void> {
  const { vmid: id } = creation;
  const { guests } = task.sim.world;
  try {
    await withConfigLock(task, id, () => create(task, creation), { seconds: 1 });
  } catch (thrown) {
    delete guests[id];
    throw thrown;
  }
  if (creation.haManaged) {
    task.print("Add as HA resource");
    const state = creation.start ? "started" : "stopped";
    task.sim.world.ha.resources[`vm:${id}`] = { type: "vm", options: { state } };
  }
  if (creation.start) {
    task.print("Execute autostart");
    requestStart(task, id);
  }
}

/** Backups cannot be restored here, but what is wrong with the request is still said first. */
function refuseRestore({ world, caller, node: here }: Call, { vmid: id, settings }: Creation, archive: string): never {
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
  getImage(world, archive, here);
  return raise(501, "restoring a backup is not implemented in this simulator");
}

export const createEndpoints = [
  endpoint({
    method: "POST",
    path: "/nodes/{node}/qemu",
    protected: true,
    proxyTo: "node",
    permissions: { user: "all" },
    parameters: { ...requestOptions, ...controls, node, vmid },
    handler: async (call) => {
      const { vmid: id, pool, storage, start, "ha-managed": ha } = call.params;
      const settings = settingsOf(call.params, call.given, ["node", "vmid", ...Object.keys(controls)]);
      if (settings["sshkeys"] !== undefined) {
        checkSshKeys(settings["sshkeys"]);
      }
      const creation = { vmid: id, settings, pool, storage, start: start === 1, haManaged: ha === 1 };
      checkRights(call, creation);
      if (isTrue(call.given["archive"])) {
        return refuseRestore(call, creation, call.given["archive"]);
      }
      checkSettings(call, creation);
      await claimVmid(call, id);
      return call.worker("qmcreate", String(id), (task) => createInWorker(task, creation));
    },
  }),
];
