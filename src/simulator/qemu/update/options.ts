import { createHash } from "node:crypto";
import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { splitList } from "../../core/schema/format.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import { checkTagPrivileges, normaliseTags } from "../../guests/tags.ts";
import { bootOrder, printBootOrder } from "../config/boot.ts";
import { bootFormat } from "../config/boot-format.ts";
import type { VmConfig } from "../config/config-text.ts";
import { vgaFormat } from "../config/device-formats.ts";
import { isCdrom, isCloudInit, isOrdinaryCdrom, parseDrive } from "../config/drive.ts";
import { checkMachine, parseMachine, pinMachine, windowsVersion } from "../config/machine.ts";
import { isDriveSlot } from "../config/options.ts";
import { isTrue } from "../config/perl.ts";
import { createDisks } from "../disks/create-disks.ts";
import { deallocateDrive, registerUnused } from "../disks/unused-volumes.ts";
import { checkProtection } from "../vm.ts";
import { checkBridgeAccess } from "./bridge-access.ts";
import { checkDevicePrivileges } from "./device-privileges.ts";
import type { UpdateRequest } from "./request.ts";

// How one option of a request is written to `[PENDING]`: the loops of `$updatefn` in qemu-server
// `src/PVE/API2/Qemu.pm`.

export interface Update {
  readonly process: Process;
  readonly request: UpdateRequest;
  /** Options whose pending value this update changed. */
  readonly modified: Set<string>;
  /** The boot order, updated when devices are added or removed; empty if none is configured. */
  bootDevices: string[];
}

function changeBootOrder(update: Update, conf: VmConfig, devices: string[]): void {
  update.bootDevices = devices;
  conf.pending.set["boot"] = printBootOrder(devices);
  update.modified.add("boot");
}

/** Both the old and the new value of a drive require the privilege of their kind. */
function checkDrivePrivileges({ process, request }: Update, slot: string, value: string): void {
  const drive = parseDrive(slot, value, true) ?? { file: "" };
  const privileges = isCloudInit(drive)
    ? (["VM.Config.Cloudinit", "VM.Config.CDROM"] as const)
    : isCdrom(drive)
      ? (["VM.Config.CDROM"] as const)
      : (["VM.Config.Disk"] as const);
  process.caller.checkVm(request.vmid, undefined, privileges);
}

/** Marks an option for removal, or removes it at once if it need not wait; false if it is not set. */
export async function removeOption(update: Update, conf: VmConfig, option: string): Promise<boolean> {
  const { process, request, bootDevices } = update;
  const pendingValue = conf.pending.set[option];
  const value = conf.config[option] ?? pendingValue;
  if (value === undefined) {
    process.print(`cannot delete '${option}' - not set in current configuration!`);
    return false;
  }
  delete conf.pending.set[option];
  if (bootDevices.includes(option)) {
    const left = bootDevices.filter((device) => device !== option);
    changeBootOrder(update, conf, left);
  }
  const markForRemoval = () => {
    conf.pending.delete[option] = request.force ? 2 : 1;
  };
  if (/^unused\d+$/.test(option)) {
    await removeUnused(update, conf, option, value);
  } else if (isDriveSlot(option)) {
    checkProtection(conf, `can't remove drive '${option}'`);
    checkDrivePrivileges(update, option, value);
    if (pendingValue !== undefined) {
      await registerUnused(process, request.vmid, conf, parseDrive(option, value) ?? { file: "" });
    }
    markForRemoval();
  } else if (option === "vmstate") {
    checkProtection(conf, `can't remove vmstate '${value}'`);
    await deallocateDrive(process, request.vmid, conf, { slot: option, drive: { file: value } });
    delete conf.config[option];
  } else if (option === "tags") {
    checkTagPrivileges(process.sim.world, process.caller, request.vmid, value, "");
    delete conf.config[option];
  } else {
    checkDeviceRemoval(update, conf, option, value);
    markForRemoval();
  }
  return true;
}

async function removeUnused({ process, request }: Update, conf: VmConfig, slot: string, value: string): Promise<void> {
  const drive = parseDrive(slot, value) ?? { file: "" };
  checkProtection(conf, `can't remove unused disk '${drive.file}'`);
  process.caller.checkVm(request.vmid, undefined, ["VM.Config.Disk"]);
  if (await deallocateDrive(process, request.vmid, conf, { slot, drive })) {
    delete conf.config[slot];
  }
}

function checkDeviceRemoval({ process, request }: Update, conf: VmConfig, option: string, value: string): void {
  const { caller } = process;
  if (/^serial\d+$/.test(option)) {
    if (value === "socket") {
      caller.checkVm(request.vmid, undefined, ["VM.Config.HWType"]);
    } else if (!caller.isRoot) {
      die(`only root can delete '${option}' config for real devices`);
    }
  } else if (/^net\d+$/.test(option)) {
    checkBridgeAccess(process, { [option]: conf.config[option] });
  } else {
    checkDevicePrivileges(caller, request, option, value);
  }
}

/** Writes the new value of an option to `[PENDING]`. */
export async function changeOption(update: Update, conf: VmConfig, option: string, value: string): Promise<void> {
  const { process, request } = update;
  const { world } = process.sim;
  if (isDriveSlot(option)) {
    await changeDriveOption(update, conf, option, value);
  } else if (option === "tags") {
    checkTagPrivileges(world, process.caller, request.vmid, conf.config["tags"] ?? "", value);
    conf.pending.set[option] = normaliseTags(world, value);
  } else if (option === "cipassword") {
    // Written directly: a password is never pending.
    conf.config[option] = windowsVersion(conf.config["ostype"]) > 0 ? value : hashPassword(process, value);
  } else {
    checkDeviceChange(update, conf, option, value);
    if (option === "ostype") {
      pinForWindows(update, conf, value);
    }
    conf.pending.set[option] = option === "boot" ? checkBootOrder(update, conf, value) : value;
  }
  delete conf.pending.delete[option];
}

function checkDeviceChange({ process, request }: Update, conf: VmConfig, option: string, value: string): void {
  const { caller } = process;
  const present = conf.config[option];
  if (/^serial\d+$/.test(option)) {
    if ((present ?? "socket") === "socket" && value === "socket") {
      caller.checkVm(request.vmid, undefined, ["VM.Config.HWType"]);
    } else if (!caller.isRoot) {
      die(`only root can modify '${option}' config for real devices`);
    }
  } else if (/^net\d+$/.test(option)) {
    checkBridgeAccess(process, { [option]: present });
  } else if (option === "vga") {
    checkClipboard(value);
  } else if (option === "machine") {
    checkMachine(parseMachine(value));
  } else {
    if (isTrue(present)) {
      checkDevicePrivileges(caller, request, option, present);
    }
    checkDevicePrivileges(caller, request, option, value);
  }
}

/** `assert_clipboard_config`. */
export function checkClipboard(vga: string | undefined): void {
  const { type, clipboard } = isTrue(vga) ? parsePropertyString(vgaFormat, vga) : {};
  if (clipboard === "vnc" && type !== undefined && !/^(?:std|cirrus|vmware|virtio|qxl)/.test(type)) {
    die(`vga type ${type} is not compatible with VNC clipboard`);
  }
}

async function changeDriveOption(update: Update, conf: VmConfig, slot: string, value: string): Promise<void> {
  const { process, request } = update;
  const present = conf.config[slot];
  if (isTrue(present)) {
    checkDrivePrivileges(update, slot, present);
    if (slot === "tpmstate0") {
      requireSameTpmVersion(present, value);
    }
  }
  checkDrivePrivileges(update, slot, value);
  const waiting = conf.pending.set[slot];
  if (waiting !== undefined) {
    await registerUnused(process, request.vmid, conf, parseDrive(slot, waiting) ?? { file: "" });
  }
  const { drives } = await createDisks(
    process,
    { vmid: request.vmid, conf, workingStorage: request.workingStorage },
    { [slot]: value },
  );
  Object.assign(conf.pending.set, drives);
  const drive = parseDrive(slot, value, true);
  if (drive !== undefined && isOrdinaryCdrom(drive)) {
    const { bootDevices } = update;
    if (bootDevices.length > 0 && !bootDevices.includes(slot)) {
      changeBootOrder(update, conf, [...bootDevices, slot]);
    }
  }
}

function requireSameTpmVersion(present: string, wanted: string): void {
  const before = parseDrive("tpmstate0", present);
  const after = parseDrive("tpmstate0", wanted);
  if (before?.file === after?.file && (before?.version ?? "v1.2") !== (after?.version ?? "v1.2")) {
    die("cannot change TPM state version after creation");
  }
}

/** A new order may only contain devices that exist or are added. */
function checkBootOrder({ request }: Update, conf: VmConfig, value: string): string {
  const { order } = parsePropertyString(bootFormat, value);
  if (!isTrue(order)) {
    return value;
  }
  const devices = splitList(order);
  for (const device of devices) {
    const candidates = [conf.config[device], conf.pending.set[device], request.settings[device]];
    if (!candidates.some(isTrue) || request.remove.includes(device)) {
      die(`invalid bootorder: device '${device}' does not exist'`);
    }
  }
  if (isTrue(conf.config["bootdisk"])) {
    conf.pending.delete["bootdisk"] = 1;
  }
  return printBootOrder(devices);
}

/** Changing to Windows pins the machine version, unless the request sets the machine. */
function pinForWindows({ process, request, modified }: Update, conf: VmConfig, ostype: string): void {
  const isDecided =
    request.settings["machine"] !== undefined || conf.pending.set["machine"] !== undefined || modified.has("machine");
  if (isDecided) {
    return;
  }
  const machine = pinMachine(
    {
      machine: conf.config["machine"],
      ostype,
      arch: conf.config["arch"] ?? "x86_64",
      qemuVersion: process.sim.world.cluster.qemuVersion,
    },
    (line) => process.print(line),
  );
  if (machine !== "") {
    conf.pending.set["machine"] = machine;
  }
}

/** Has the form of crypt's SHA-256 method and does not reveal the password; a value that is already a hash is kept. */
function hashPassword({ sim }: Process, password: string): string {
  if (/^\$(?:[156]|2[ay])(?:\$.+){2}/.test(password)) {
    return password;
  }
  const salt = sim.random.bytes(6).toString("base64").replaceAll("+", "X");
  const hash = createHash("sha256")
    .update(`${salt}${password}`)
    .digest("base64")
    .replaceAll("+", ".")
    .replace(/=+$/, "");
  return `$5$${salt}$${hash}`;
}

/** The boot order before an update. */
export function startUpdate(process: Process, request: UpdateRequest, conf: VmConfig): Update {
  return { process, request, modified: new Set(), bootDevices: bootOrder(conf.config) };
}
