import { die } from "../../core/kernel/failure.ts";
import { namedFormat, splitList } from "../../core/schema/format.ts";
import { storageIdFormat, tagListFormat, urlEncodedFormat } from "../../core/schema/formats.ts";
import { addressListFormat, dnsNameFormat } from "../../core/schema/network-formats.ts";
import { boolean, indexed, integer, number, type Properties, type Schema, string } from "../../core/schema/schema.ts";
import { snapshotName, startupOrder } from "../../core/schema/standard-options.ts";
import { volumeIdFormat } from "../../storage/formats.ts";
import { bootDiskFormat, bootFormat } from "./boot-format.ts";
import { amdSevFormat, cpuFormat, intelTdxFormat } from "./cpu-format.ts";
import {
  agentFormat,
  audioFormat,
  cicustomFormat,
  hostpciFormat,
  ivshmemFormat,
  machineFormat,
  memoryFormat,
  metaFormat,
  numaFormat,
  rngFormat,
  smbios1Format,
  spiceEnhancementsFormat,
  usbFormat,
  vgaFormat,
  virtiofsFormat,
  watchdogFormat,
} from "./device-formats.ts";
import { driveFormats, driveRequestFormats, driveSlots, ideFormat, unusedFormat } from "./drive-formats.ts";
import { ipconfigFormat, netFormat } from "./net-formats.ts";

// All options of a VM's configuration: `$confdesc` in qemu-server `src/PVE/QemuServer.pm`.

const off = boolean({ optional: true, default: 0 });
const on = boolean({ optional: true, default: 1 });
const atLeastOne = integer({ optional: true, minimum: 1, default: 1 });
const text = string({ optional: true });

/** `parse_hotplug_features`: `0` is none, `1` the default. */
export const defaultHotplug = "network,disk,usb";
const hotplugFeature = /^(?:network|disk|cpu|memory|usb|cloudinit)$/;

const hotplugFormat = namedFormat("pve-hotplug-features", (value) => {
  for (const feature of value === "0" || value === "1" ? [] : splitList(value)) {
    if (!hotplugFeature.test(feature)) {
      die(`invalid hotplug feature '${feature}'`);
    }
  }
});

const cpuSetFormat = namedFormat("pve-cpuset", (value) => {
  if (!/^\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*$/.test(value)) {
    die("unable to parse cpuset option");
  }
});

/** Options that are written to the cloud-init drive. */
export const cloudInitOptions = {
  citype: string({ optional: true, enum: ["configdrive2", "nocloud", "opennebula"] }),
  ciuser: text,
  cipassword: text,
  ciupgrade: on,
  cicustom: string({ optional: true, format: cicustomFormat }),
  searchdomain: text,
  nameserver: string({ optional: true, format: addressListFormat }),
  sshkeys: string({ optional: true, format: urlEncodedFormat }),
  ...indexed("ipconfig", 32, string({ optional: true, format: ipconfigFormat })),
} as const satisfies Properties;

const cpuAndMemory = {
  cores: atLeastOne,
  sockets: atLeastOne,
  smp: atLeastOne,
  vcpus: integer({ optional: true, minimum: 1, default: 0 }),
  cpu: string({ optional: true, format: cpuFormat }),
  cpulimit: number({ optional: true, minimum: 0, maximum: 128, default: 0 }),
  cpuunits: integer({
    optional: true,
    minimum: 1,
    maximum: 262_144,
    default: "cgroup v1: 1024, cgroup v2: 100",
  }),
  affinity: string({ optional: true, format: cpuSetFormat }),
  numa: off,
  ...indexed("numa", 8, string({ optional: true, format: numaFormat })),
  memory: string({ optional: true, format: memoryFormat }),
  balloon: integer({ optional: true, minimum: 0 }),
  shares: integer({ optional: true, minimum: 0, maximum: 50_000, default: 1000 }),
  "allow-ksm": on,
  hugepages: string({ optional: true, enum: ["any", "2", "1024"] }),
  keephugepages: off,
  "amd-sev": string({ optional: true, format: amdSevFormat }),
  "intel-tdx": string({ optional: true, format: intelTdxFormat }),
} as const satisfies Properties;

const platform = {
  acpi: on,
  agent: string({ optional: true, format: agentFormat }),
  arch: string({ optional: true, enum: ["x86_64", "aarch64"] }),
  args: text,
  bios: string({ optional: true, enum: ["seabios", "ovmf"], default: "seabios" }),
  boot: string({ optional: true, format: bootFormat }),
  bootdisk: string({ optional: true, format: bootDiskFormat, pattern: "(ide|sata|scsi|virtio)\\d+" }),
  freeze: boolean({ optional: true }),
  hotplug: string({ optional: true, format: hotplugFormat, default: defaultHotplug }),
  keyboard: string({
    optional: true,
    enum: "de de-ch da en-gb en-us es fi fr fr-be fr-ca fr-ch hu is it ja lt mk nl no pl pt pt-br sv sl tr".split(" "),
  }),
  kvm: on,
  localtime: boolean({ optional: true }),
  machine: string({ optional: true, format: machineFormat }),
  ostype: string({
    optional: true,
    default: "other",
    enum: ["other", "wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11", "l24", "l26", "solaris"],
  }),
  reboot: on,
  smbios1: string({ optional: true, format: smbios1Format, maxLength: 512 }),
  startdate: string({
    optional: true,
    default: "now",
    pattern: "(now|\\d{4}-\\d{1,2}-\\d{1,2}(T\\d{1,2}:\\d{1,2}:\\d{1,2})?)",
  }),
  tablet: on,
  tdf: off,
  vmgenid: string({
    optional: true,
    default: "1 (autogenerated)",
    pattern: "(?:[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}|[01])",
  }),
} as const satisfies Properties;

const devices = {
  audio0: string({ optional: true, format: audioFormat }),
  ...indexed("hostpci", 16, string({ optional: true, format: hostpciFormat })),
  ivshmem: string({ optional: true, format: ivshmemFormat }),
  ...indexed("net", 32, string({ optional: true, format: netFormat })),
  ...indexed("parallel", 3, string({ optional: true, pattern: "/dev/parport\\d+|/dev/usb/lp\\d+" })),
  rng0: string({ optional: true, format: rngFormat }),
  scsihw: string({
    optional: true,
    enum: ["lsi", "lsi53c810", "virtio-scsi-pci", "virtio-scsi-single", "megasas", "pvscsi"],
    default: "lsi",
  }),
  ...indexed("serial", 4, string({ optional: true, pattern: "(/dev/[^,]+|socket)" })),
  spice_enhancements: string({ optional: true, format: spiceEnhancementsFormat }),
  ...indexed("usb", 14, string({ optional: true, format: usbFormat })),
  vga: string({ optional: true, format: vgaFormat }),
  ...indexed("virtiofs", 10, string({ optional: true, format: virtiofsFormat })),
  watchdog: string({ optional: true, format: watchdogFormat }),
} as const satisfies Properties;

const management = {
  autostart: off,
  description: string({ optional: true, maxLength: 8192 }),
  hookscript: string({ optional: true, format: volumeIdFormat }),
  lock: string({
    optional: true,
    enum: "backup clone create migrate rollback snapshot snapshot-delete suspending suspended".split(" "),
  }),
  migrate_downtime: number({ optional: true, minimum: 0, default: 0.1 }),
  migrate_speed: integer({ optional: true, minimum: 0, default: 0 }),
  name: string({ optional: true, format: dnsNameFormat }),
  onboot: off,
  protection: off,
  startup: startupOrder,
  tags: string({ optional: true, format: tagListFormat }),
  template: off,
  vmstatestorage: string({ optional: true, format: storageIdFormat }),
} as const satisfies Properties;

/** Written by PVE itself; not allowed in requests. */
const internal = {
  meta: string({ optional: true, format: metaFormat }),
  parent: { ...snapshotName, optional: true },
  runningcpu: string({ optional: true, pattern: "(?:[+-]?[\\w\\-._=]+,?)+" }),
  runningmachine: string({ optional: true, format: machineFormat }),
  "running-nets-host-mtu": string({ optional: true, pattern: "net\\d+=\\d+(,net\\d+=\\d+)*" }),
  snaptime: integer({ optional: true, minimum: 0 }),
  vmstate: string({ optional: true, format: volumeIdFormat }),
} as const satisfies Properties;

function drives(formats: typeof driveFormats): Properties {
  return Object.fromEntries(
    driveSlots.map((slot): [string, Schema] => {
      const format = formats[slot.replace(/\d+$/, "")];
      return [slot, string({ optional: true, ...(format && { format }) })];
    }),
  );
}

const besideDrives = {
  ...cpuAndMemory,
  ...platform,
  ...devices,
  ...management,
  ...cloudInitOptions,
  cdrom: string({ optional: true, format: ideFormat }),
  ...indexed("unused", 256, string({ optional: true, format: unusedFormat })),
};

/** The options of the configuration file. */
export const configOptions: Properties = { ...besideDrives, ...internal, ...drives(driveFormats) };

/** The options of a request: no internal options, but drives can be allocated and imported. */
export const requestOptions: Properties = { ...besideDrives, ...drives(driveRequestFormats) };

const slots: ReadonlySet<string> = new Set(driveSlots);

export function isDriveSlot(key: string): boolean {
  return slots.has(key);
}
