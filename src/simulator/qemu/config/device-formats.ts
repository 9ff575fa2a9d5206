import { configIdFormat } from "../../core/schema/formats.ts";
import { propertyFormat } from "../../core/schema/property-string.ts";
import { boolean, integer, number, string } from "../../core/schema/schema.ts";
import { volumeIdFormat } from "../../storage/formats.ts";

// Property strings of the smaller options: qemu-server `src/PVE/QemuServer.pm` and the modules named below.

const off = boolean({ optional: true, default: 0 });
const aliasOf = (key: string) => string({ optional: true, alias: key });

/** `Agent.pm`. */
export const agentFormat = propertyFormat({
  enabled: boolean({ default: 0, default_key: true }),
  fstrim_cloned_disks: off,
  "freeze-fs-on-backup": aliasOf("freeze-fs"),
  "guest-fsfreeze": aliasOf("freeze-fs"),
  "freeze-fs": boolean({ optional: true, default: 1 }),
  type: string({ optional: true, default: "virtio", enum: ["virtio", "isa"] }),
});

export const watchdogFormat = propertyFormat(
  {
    model: string({ optional: true, default_key: true, enum: ["i6300esb", "ib700"], default: "i6300esb" }),
    action: string({ optional: true, enum: ["reset", "shutdown", "poweroff", "pause", "debug", "none"] }),
  },
  { name: "pve-qm-watchdog" },
);

export const vgaFormat = propertyFormat({
  type: string({
    optional: true,
    default: "std",
    default_key: true,
    enum: [
      "cirrus",
      "qxl",
      "qxl2",
      "qxl3",
      "qxl4",
      "none",
      "serial0",
      "serial1",
      "serial2",
      "serial3",
      "std",
      "virtio",
      "virtio-gl",
      "vmware",
    ],
  }),
  memory: integer({ optional: true, minimum: 4, maximum: 512 }),
  clipboard: string({ optional: true, enum: ["vnc"] }),
});

export const ivshmemFormat = propertyFormat({
  size: integer({ minimum: 1 }),
  name: string({ optional: true, pattern: "[a-zA-Z0-9\\-]+" }),
});

export const audioFormat = propertyFormat({
  device: string({ enum: ["ich9-intel-hda", "intel-hda", "AC97"] }),
  driver: string({ optional: true, enum: ["spice", "none"], default: "spice" }),
});

export const spiceEnhancementsFormat = propertyFormat({
  foldersharing: boolean({ optional: true, default: "0" }),
  videostreaming: string({ optional: true, enum: ["off", "all", "filter"], default: "off" }),
});

/** `RNG.pm`. */
export const rngFormat = propertyFormat(
  {
    source: string({ enum: ["/dev/urandom", "/dev/random", "/dev/hwrng"], default_key: true }),
    max_bytes: integer({ optional: true, default: 1024 }),
    period: integer({ optional: true, default: 1000 }),
  },
  { name: "pve-qm-rng" },
);

/** `Virtiofs.pm`. */
export const virtiofsFormat = propertyFormat(
  {
    dirid: string({ default_key: true, format: configIdFormat }),
    cache: string({ optional: true, enum: ["auto", "always", "metadata", "never"], default: "auto" }),
    "direct-io": off,
    "expose-xattr": off,
    "expose-acl": off,
  },
  { name: "pve-qm-virtiofs" },
);

const usbId = "(?:0x)?[0-9A-Fa-f]{4}:(?:0x)?[0-9A-Fa-f]{4}";
const usbPath = "\\d+-\\d+(?:\\.\\d+)*";

/** `USB.pm`. */
export const usbFormat = propertyFormat(
  {
    host: string({ optional: true, default_key: true, pattern: `${usbId}|${usbPath}|[Ss][Pp][Ii][Cc][Ee]` }),
    mapping: string({ optional: true, format: configIdFormat }),
    usb3: off,
  },
  { name: "pve-qm-usb" },
);

const pciId = "(?:[a-f0-9]{4,}:)?[a-f0-9]{2}:[a-f0-9]{2}(?:\\.[a-f0-9])?";
const pciIdentifier = string({ optional: true, pattern: "0x[0-9a-fA-F]{4}" });

/** `PCI.pm`. */
export const hostpciFormat = propertyFormat(
  {
    host: string({ optional: true, default_key: true, pattern: `${pciId}(?:;${pciId})*` }),
    mapping: string({ optional: true, format: configIdFormat }),
    rombar: boolean({ optional: true, default: 1 }),
    romfile: string({ optional: true, pattern: "[^,;]+" }),
    pcie: off,
    "x-vga": off,
    "legacy-igd": off,
    mdev: string({ optional: true, pattern: "[^/\\.:]+" }),
    "vendor-id": pciIdentifier,
    "device-id": pciIdentifier,
    "sub-vendor-id": pciIdentifier,
    "sub-device-id": pciIdentifier,
    driver: string({ optional: true, enum: ["vfio", "keep"], default: "vfio" }),
  },
  { name: "pve-qm-hostpci" },
);

const numberSet = "\\d+(?:-\\d+)?(?:;\\d+(?:-\\d+)?)*";

/** `Memory.pm`. */
export const numaFormat = propertyFormat({
  cpus: string({ pattern: numberSet }),
  memory: number({ optional: true }),
  hostnodes: string({ optional: true, pattern: numberSet }),
  policy: string({ optional: true, enum: ["preferred", "bind", "interleave"] }),
});

/** `Memory.pm`. */
export const memoryFormat = propertyFormat({
  current: integer({ default_key: true, minimum: 16, default: 512 }),
});

/** `Machine.pm`. */
export const machineFormat = propertyFormat({
  type: string({
    optional: true,
    default_key: true,
    maxLength: 40,
    pattern:
      "(pc|pc(-i440fx)?-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|q35|pc-q35-\\d+(\\.\\d+)+(\\+pve\\d+)?(\\.pxe)?|virt(?:-\\d+(\\.\\d+)+)?(\\+pve\\d+)?)",
  }),
  viommu: string({ optional: true, enum: ["intel", "virtio"] }),
  "aw-bits": number({ optional: true, minimum: 32, maximum: 64 }),
  "enable-s3": boolean({ optional: true }),
  "enable-s4": boolean({ optional: true }),
});

const base64Text = string({ optional: true, pattern: "[A-Za-z0-9+\\/]+={0,2}" });

export const smbios1Format = propertyFormat(
  {
    uuid: string({ optional: true, pattern: "[a-fA-F0-9]{8}(?:-[a-fA-F0-9]{4}){3}-[a-fA-F0-9]{12}" }),
    version: base64Text,
    serial: base64Text,
    manufacturer: base64Text,
    product: base64Text,
    sku: base64Text,
    family: base64Text,
    base64: boolean({ optional: true }),
  },
  { name: "pve-qm-smbios1" },
);

/** `MetaInfo.pm`. */
export const metaFormat = propertyFormat({
  ctime: integer({ optional: true, minimum: 0 }),
  "creation-qemu": string({ optional: true, pattern: "\\d+(\\.\\d+)+" }),
});

const snippet = string({ optional: true, format: volumeIdFormat });

export const cicustomFormat = propertyFormat(
  { meta: snippet, network: snippet, user: snippet, vendor: snippet },
  { name: "pve-qm-cicustom" },
);
