import { die } from "../../core/kernel/failure.ts";
import type { Process } from "../../core/kernel/process.ts";
import { parsePropertyString } from "../../core/schema/property-string.ts";
import type { Section } from "../../core/world/guest.ts";
import { requireBridge } from "../../guests/bridges.ts";
import { cpuFormat } from "../config/cpu-format.ts";
import { vgaFormat } from "../config/device-formats.ts";
import { drivesOf, parseDrive } from "../config/drive.ts";
import { checkMachine, checkMachineVersion, parseMachine, windowsVersion } from "../config/machine.ts";
import { type Net, netsOf, parseNet } from "../config/net.ts";
import { isTrue } from "../config/perl.ts";
import { checkClipboard } from "../update/options.ts";
import { checkMemory } from "./command-line-memory.ts";
import { checkHostDevices } from "./host-devices.ts";

// The errors and warnings of `config_to_command` in qemu-server `src/PVE/QemuServer.pm`, which composes QEMU's command
// line. None of them is checked when the configuration is changed.

const cpus32bit = new Set(["486", "pentium", "pentium2", "pentium3", "coreduo", "athlon", "kvm32", "qemu32"]);
const cpuOfOtherArch = /^(?:a64fx|cortex-|neoverse-)/;

/** `check_efi_vars`: only a marker shows which certificates a disk contains. */
function checkEfiDisk(process: Process, config: Section): void {
  if (config["bios"] !== "ovmf") {
    return;
  }
  const disk = isTrue(config["efidisk0"]) ? parseDrive("efidisk0", config["efidisk0"]) : undefined;
  if (disk === undefined) {
    process.warn("no efidisk configured! Using temporary efivars disk.");
  } else if (isTrue(disk["pre-enrolled-keys"]) && disk["ms-cert"] !== "2023k") {
    process.warn(
      "EFI disk without 'ms-cert=2023k' option, suggesting that not all UEFI 2023\n" +
        "certificates from Microsoft are enrolled yet.",
    );
  }
}

function checkCpu(process: Process, config: Section): void {
  const { cpus } = process.sim.world.nodes[process.node] ?? { cpus: 1 };
  const most = Number(config["sockets"] ?? 1) * Number(config["cores"] ?? 1);
  if (most > cpus) {
    die(`MAX ${cpus} vcpus allowed per VM on this node`);
  }
  if (Number(config["vcpus"] ?? 0) > most) {
    die("start failed: QEMU exited with code 1"); // `-smp`: maxcpus must be equal to or greater than smp
  }
  const { cputype = "kvm64" } = isTrue(config["cpu"]) ? parsePropertyString(cpuFormat, config["cpu"]) : {};
  if (config["bios"] === "ovmf" && cpus32bit.has(cputype)) {
    die("OVMF (UEFI) BIOS is not supported on 32-bit CPU types");
  }
  if (cpuOfOtherArch.test(cputype) && config["arch"] !== "aarch64") {
    die(`CPU model '${cputype}' does not exist for configured vCPU architecture 'x86_64'`);
  }
}

/** Ports beyond the fifth require a controller that old guests do not support. */
function checkUsbPorts(config: Section): void {
  const { ostype } = config;
  const isModern = ostype === "l26" || windowsVersion(ostype) > 7;
  const key = Object.keys(config).find((name) => /^usb(?:[5-9]|1\d)$/.test(name));
  if (key !== undefined && !isModern) {
    die(`using ${key} is only possible with machine type >= 7.1 and ostype l26 or windows > 7`);
  }
}

function checkDrives(process: Process, config: Section): void {
  for (const [slot, drive] of drivesOf(config)) {
    if (slot.startsWith("scsi") && isTrue(drive["iothread"]) && config["scsihw"] !== "virtio-scsi-single") {
      process.warn("iothread is only valid with virtio disk or virtio-scsi-single controller, ignoring");
    }
    if (drive.file === "cdrom") {
      process.warn("no physical CD-ROM available, ignoring");
    }
    if (isTrue(drive["snapshot"])) {
      die("'snapshot' option is not yet supported for '-blockdev'");
    }
  }
}

/** The MTU of bridges. */
const bridgeMtu = 1500;
const smallestMtu = 576;

function checkMtu(process: Process, key: string, { model, bridge, mtu }: Net): void {
  if (mtu === undefined) {
    return;
  }
  if (model !== "virtio" || bridge === undefined) {
    process.warn(
      `netdev ${key}: ignoring MTU '${mtu}', ${bridge === undefined ? "no bridge configured" : "not using VirtIO"}`,
    );
  } else if (Number(mtu) !== 1 && Number(mtu) < smallestMtu) {
    die(`netdev ${key}: MTU '${mtu}' is smaller than the IP minimum MTU '${smallestMtu}'`);
  } else if (Number(mtu) > bridgeMtu) {
    const advice = "adjust the MTU for the network device in the VM configuration, while ensuring that the bridge is";
    die(`netdev ${key}: MTU '${mtu}' is bigger than the bridge MTU '${bridgeMtu}' - ${advice} configured as desired.`);
  }
}

function checkNets(process: Process, config: Section): void {
  for (const [key, value] of netsOf(config)) {
    const net = parseNet(value);
    if (net.bridge !== undefined && net.model === "virtio") {
      requireBridge(process, net.bridge);
    }
    checkMtu(process, key, net);
  }
}

/** The hosts have neither the libraries of a desktop nor a processor with encrypted memory. */
function checkHostAbilities(config: Section): void {
  const { type } = isTrue(config["vga"]) ? parsePropertyString(vgaFormat, config["vga"]) : {};
  if (type === "virtio-gl") {
    die("missing libraries for 'virtio-gl' detected! Please install 'libgl1' and 'libegl1'");
  }
  if (isTrue(config["amd-sev"])) {
    die("Your CPU does not support AMD SEV.");
  }
  if (isTrue(config["intel-tdx"])) {
    die("Your CPU does not support Intel TDX.");
  }
}

export function checkCommandLine(process: Process, config: Section): void {
  const { qemuVersion } = process.sim.world.cluster;
  checkMachineVersion(parseMachine(config["machine"])["type"], qemuVersion, process.node);
  checkEfiDisk(process, config);
  checkUsbPorts(config);
  checkHostDevices(process, config);
  checkCpu(process, config);
  checkMemory(config);
  checkClipboard(config["vga"]);
  checkDrives(process, config);
  checkNets(process, config);
  checkMachine(parseMachine(config["machine"]));
  checkHostAbilities(config);
}

/** `add_nets_bridge_fdb`: errors that only appear when the process runs. */
export function warnOfUnbridgedNets(process: Process, vmid: number, config: Section): void {
  for (const [key, value] of netsOf(config)) {
    if (parseNet(value).bridge === undefined) {
      process.warn(`Interface 'tap${vmid}i${key.replace(/^net/, "")}' not attached to any bridge.`);
    }
  }
}
