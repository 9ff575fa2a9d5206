import { type Call, endpoint } from "../../core/kernel/endpoint.ts";
import { die, failureText, permissionError } from "../../core/kernel/failure.ts";
import type { Process, Task } from "../../core/kernel/process.ts";
import { printPropertyString } from "../../core/schema/property-string.ts";
import { boolean, integer, string } from "../../core/schema/schema.ts";
import { node, storageId, vmid } from "../../core/schema/standard-options.ts";
import type { Section } from "../../core/world/guest.ts";
import { newGuest } from "../../core/world/guest.ts";
import { checkSshKeys } from "../../guests/ssh-keys.ts";
import { checkTagPrivileges, normaliseTags, tagsOfNewVm } from "../../guests/tags.ts";
import { addGuestToPool, checkPoolExists } from "../../pools/membership.ts";
import { poolIdFormat } from "../../pools/pool-id.ts";
import { defaultBootDevices, printBootOrder } from "../config/boot.ts";
import type { VmConfig } from "../config/config-text.ts";
import { metaFormat } from "../config/device-formats.ts";
import { pinMachine } from "../config/machine.ts";
import { completeNet, netsOf } from "../config/net.ts";
import { requestOptions } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { requireCpuModel } from "../custom-cpu.ts";
import { createDisks, freeQuietly } from "../disks/create-disks.ts";
import { checkDriveParameters, checkStorageAccess, type Settings } from "../disks/drive-checks.ts";
import { requestStart } from "../power/start.ts";
import { checkBridgeAccess } from "../update/bridge-access.ts";
import { checkCpuModelAccess, checkDevicePrivileges, checkNewSerialPort } from "../update/device-privileges.ts";
import { checkOptionPrivileges } from "../update/option-privileges.ts";
import { checkClipboard } from "../update/options.ts";
import { settingsOf } from "../update/settings.ts";
import { findVm, saveConfig, withConfigLock } from "../vm.ts";
import { checkArchive, claimForRestore, restoreInWorker } from "./restore.ts";

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
  readonly workingStorage: string | undefined;
  readonly start: boolean;
  readonly haManaged: boolean;
}

function checkPrivileges(call: Pick<Call, "caller" | "world" | "given" | "node">, creation: Creation): void {
  const { vmid: id, pool, storage, start, haManaged } = creation;
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
  // A caller that may back up a VM may also restore it.
  const isOverwriting =
    isTrue(call.given["archive"]) && call.given["force"] === "1" && findVm(call.world, id, call.node) !== undefined;
  const mayAllocate =
    caller.has(`/vms/${id}`, ["VM.Allocate"]) ||
    (pool !== undefined && caller.has(`/pool/${pool}`, ["VM.Allocate"])) ||
    (isOverwriting && caller.has(`/vms/${id}`, ["VM.Backup"]));
  if (!mayAllocate) {
    permissionError();
  }
}

/** The checks of each option, in PVE's order; completes the network devices. */
function checkSettings(call: Call, creation: Creation): void {
  const { vmid: id, settings, pool, storage } = creation;
  const { caller } = call;
  const options = Object.keys(settings);
  checkStorageAccess(call, settings, {
    vmid: id,
    defaultStorage: storage,
    workingStorage: creation.workingStorage,
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

/** `create_and_lock_config`: reserves the VMID with a file that only contains `lock: create`. */
async function claimVmid(process: Process, id: number): Promise<void> {
  const { world } = process.sim;
  const claim = () => {
    const taken = world.guests[id];
    if (taken !== undefined) {
      die(`${taken.type === "qemu" ? "VM" : "CT"} ${id} already exists on node '${taken.node}'`);
    }
    world.guests[id] = newGuest("qemu", id, process.node, { lock: "create" });
  };
  try {
    await withConfigLock(process, id, claim, { seconds: 5 });
  } catch (thrown) {
    die(`unable to create VM ${id} - ${failureText(thrown)}`);
  }
}

/** The options that the server adds to a new VM. */
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
  const ctime = String(sim.clock.stamp());
  return printPropertyString(metaFormat, { "creation-qemu": sim.world.cluster.qemuVersion, ctime });
}

async function create(task: Task, creation: Creation): Promise<void> {
  const { vmid: id, settings, pool, storage } = creation;
  const config = { ...(settings as Section), meta: metaInfo(task) };
  const conf: VmConfig = { config, pending: { set: {}, delete: {} }, cloudinit: {}, snapshots: {} };
  let volumes: readonly string[] = [];
  try {
    const place = { defaultStorage: storage, workingStorage: creation.workingStorage };
    const { drives, created } = await createDisks(task, { vmid: id, conf, ...place }, settings);
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
  finish(task, creation, false);
}

/** After the creation: HA and the start. */
function finish(task: Task, { vmid: id, haManaged, start }: Creation, isRestore: boolean): void {
  const { resources } = task.sim.world.ha;
  const startFirst = isRestore && start;
  if (startFirst) {
    task.print("Execute autostart");
    requestStart(task, id);
  }
  if (haManaged) {
    const state = start ? "started" : "stopped";
    const word = resources[`vm:${id}`] === undefined ? "Add" : "Set";
    task.print(isRestore ? `${word} HA resource with request-state '${state}'` : "Add as HA resource");
    resources[`vm:${id}`] = { type: "vm", options: { ...resources[`vm:${id}`]?.options, state } };
  }
  if (start && !startFirst) {
    task.print("Execute autostart");
    requestStart(task, id);
  }
}

async function restore(call: Call, creation: Creation, archive: string): Promise<string> {
  const { vmid: id, settings, pool, storage } = creation;
  checkArchive(call, id, settings, archive);
  if (Object.keys(settings).length > 0) {
    checkSettings(call, creation);
  }
  await claimForRestore(call, id, call.params["force"] === 1, () => {
    call.world.guests[id] = newGuest("qemu", id, call.node, { lock: "create" });
  });
  const order = { vmid: id, archive, storage, pool, settings };
  const live = call.params["live-restore"] === 1;
  const body = async (task: Task) => {
    await restoreInWorker(task, { ...order, unique: call.params["unique"] === 1, live });
    finish(task, creation, true);
  };
  return call.worker("qmrestore", String(id), body, () => {
    delete call.world.guests[id]?.config["lock"];
  });
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
      requireCpuModel(call.world, settings["cpu"]);
      if (settings["sshkeys"] !== undefined) {
        checkSshKeys(settings["sshkeys"]);
      }
      const workingStorage = call.params["import-working-storage"];
      const flags = { start: start === 1, haManaged: ha === 1 };
      const creation = { vmid: id, settings, pool, storage, workingStorage, ...flags };
      checkPrivileges(call, creation);
      if (isTrue(call.given["archive"])) {
        return restore(call, creation, call.given["archive"]);
      }
      checkSettings(call, creation);
      await claimVmid(call, id);
      return call.worker(
        "qmcreate",
        String(id),
        (task) => createInWorker(task, creation),
        () => {
          delete call.world.guests[id];
        },
      );
    },
  }),
];
