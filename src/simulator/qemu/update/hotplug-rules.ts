import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { replugTap, requireBridge } from "../../guests/bridges.ts";
import { parseAgent } from "../config/agent.ts";
import { bootOrder } from "../config/boot.ts";
import type { VmConfig } from "../config/config-text.ts";
import { type Drive, isCdrom, isCloudInit, parseDrive } from "../config/drive.ts";
import { windowsVersion } from "../config/machine.ts";
import { memoryMiB } from "../config/memory.ts";
import { type Net, parseNet } from "../config/net.ts";
import { isDriveSlot } from "../config/options.ts";
import { isTrue, numbersDiffer } from "../config/perl.ts";
import { registerUnused } from "../disks/unused-volumes.ts";
import { staticMiB } from "../power/command-line-memory.ts";
import { removeDrive } from "./pending.ts";

// The hotplug rules, option by option: qemu-server `src/PVE/QemuServer.pm`. Each rule returns whether the change is
// applied (false: it stays pending) and dies where PVE reports a hotplug problem.

export interface LiveVm {
  readonly process: Process;
  readonly vmid: number;
  readonly conf: VmConfig;
  /** The kinds of devices that can be hot-plugged: `network`, `disk`, `cpu`, `memory`, `usb`. */
  readonly features: ReadonlySet<string>;
}

const mentionsCpuOrMemory = (value: string | undefined) => /cpu|memory/.test(value ?? "");

/** Modern guests only (`$is_usb_hotplug_supported`). */
function canPlugUsb({ features, conf }: LiveVm): boolean {
  const { ostype } = conf.config;
  return features.has("usb") && (ostype === "l26" || windowsVersion(ostype) > 7);
}

/** Firmware, TPM, IDE and SATA drives cannot be hot-plugged. */
const isFixedDrive = (slot: string) => /^(?:efidisk|ide|sata|tpmstate)/.test(slot);

/** `vm_deviceunplug` refuses boot devices, and disks of a bus without hotplug. */
function requirePluggable({ conf }: LiveVm, slot: string): void {
  if (bootOrder(conf.config).includes(slot)) {
    die(`can't unplug bootdisk '${slot}'`);
  }
  if (isFixedDrive(slot)) {
    die(`can't unplug device '${slot}'`);
  }
}

export async function removeOptionLive(vm: LiveVm, option: string, force: boolean): Promise<boolean> {
  const { conf, features } = vm;
  if (isDriveSlot(option)) {
    if (!features.has("disk") || isFixedDrive(option)) {
      return false;
    }
    requirePluggable(vm, option);
    await removeDrive(vm.process, vm.vmid, conf, { slot: option, force });
    return true;
  }
  switch (option.replace(/\d+$/, "")) {
    case "hotplug":
      return !mentionsCpuOrMemory(conf.config["hotplug"]);
    case "tablet":
      return features.has("usb");
    case "usb":
      return canPlugUsb(vm);
    case "vcpus":
      return features.has("cpu");
    case "balloon":
      return conf.config["balloon"] !== "0";
    case "net":
      return features.has("network");
    case "memory":
      return features.has("memory") && changeMemory(vm, undefined);
    case "cpuunits":
    case "cpulimit":
      return true;
    default:
      return false;
  }
}

export async function changeOptionLive(vm: LiveVm, option: string, wanted: string): Promise<boolean> {
  const { conf, features } = vm;
  if (isDriveSlot(option)) {
    return option !== "efidisk0" && option !== "tpmstate0" && (await changeDrive(vm, option, wanted));
  }
  switch (option.replace(/\d+$/, "")) {
    case "hotplug":
      return !mentionsCpuOrMemory(wanted) && !mentionsCpuOrMemory(conf.config["hotplug"]);
    case "tablet":
      return features.has("usb");
    case "usb":
      return canPlugUsb(vm);
    case "vcpus":
      return features.has("cpu") && changeVcpus(conf, wanted);
    case "balloon":
      return isTrue(conf.config["balloon"] ?? "1") === isTrue(wanted);
    case "net":
      return changeNet(vm, option, parseNet(wanted));
    case "memory":
      return features.has("memory") && changeMemory(vm, wanted);
    case "cpuunits":
    case "cpulimit":
      return true;
    case "agent":
      return isTrimOnlyChange(conf.config["agent"], wanted);
    default:
      return false;
  }
}

function changeVcpus({ config }: VmConfig, wanted: string): boolean {
  const most = Number(config["sockets"] ?? 1) * Number(config["cores"] ?? 1);
  return Number(wanted) > most ? die("you can't add more vcpus than maxcpus") : true;
}

function changeMemory({ conf }: LiveVm, wanted: string | undefined): boolean {
  const mib = memoryMiB(wanted);
  if (mib !== memoryMiB(conf.config["memory"]) && mib < staticMiB) {
    die(`memory can't be lower than ${staticMiB} MB at /usr/share/perl5/PVE/QemuServer/Memory.pm line 219.`);
  }
  return true;
}

/** `vmconfig_update_agent`: only trimming after a clone can be changed while the channel exists. */
function isTrimOnlyChange(present: string | undefined, wanted: string): boolean {
  if (!isTrue(present)) {
    return false;
  }
  const before = parseAgent(present);
  const after = parseAgent(wanted);
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].every((key) => key === "fstrim_cloned_disks" || before[key] === after[key]);
}

/** `vmconfig_update_net`: another bridge, VLAN or limit is set on the host; any other change is a new device. */
function changeNet({ process, conf, features }: LiveVm, key: string, wanted: Net): boolean {
  const present = isTrue(conf.config[key]) ? parseNet(conf.config[key]) : undefined;
  const isSameDevice =
    present !== undefined &&
    present.model === wanted.model &&
    present.macaddr === wanted.macaddr &&
    !numbersDiffer(present["queues"], wanted["queues"]) &&
    !numbersDiffer(present["mtu"], wanted["mtu"]) &&
    isTrue(present.bridge) &&
    isTrue(wanted.bridge);
  if (isSameDevice) {
    const isMoved =
      present.bridge !== wanted.bridge ||
      numbersDiffer(present.tag, wanted.tag) ||
      present.trunks !== wanted.trunks ||
      numbersDiffer(present["firewall"], wanted["firewall"]);
    if (isMoved) {
      replugTap(process, wanted);
    }
    return true;
  }
  if (!features.has("network")) {
    return false;
  }
  if (wanted.bridge !== undefined && wanted.model === "virtio") {
    requireBridge(process, wanted.bridge);
  }
  return true;
}

const fixedDriveKeys = ["aio", "discard", "iothread", "queues", "product", "cache", "ssd", "vendor", "ro"] as const;

/**
 * `vmconfig_update_disk`: a CD can be changed, limits can be set, and a disk can be replaced where disks can be
 * hot-plugged.
 */
async function changeDrive(vm: LiveVm, slot: string, wantedText: string): Promise<boolean> {
  const { process, vmid, conf, features } = vm;
  const wanted = parseDrive(slot, wantedText) ?? die("unable to parse drive options");
  const present = isTrue(conf.config[slot]) ? parseDrive(slot, conf.config[slot]) : undefined;
  if (present !== undefined) {
    if ((wanted.media ?? "disk") !== (present.media ?? "disk")) {
      die("unable to change media type");
    }
    if (isCdrom(present)) {
      await changeMedium(vm, present, wanted);
      return true;
    }
    if (wanted.file === present.file) {
      return fixedDriveKeys.every((key) => wanted[key] === present[key]);
    }
    if (!features.has("disk")) {
      return false;
    }
    requirePluggable(vm, slot);
    await registerUnused(process, vmid, conf, present);
  }
  return features.has("disk") && !/^(?:ide|sata)/.test(slot);
}

async function changeMedium({ process, vmid, conf }: LiveVm, present: Drive, wanted: Drive): Promise<void> {
  if (wanted.file === "none" && isCloudInit(present)) {
    await registerUnused(process, vmid, conf, present);
  }
}
