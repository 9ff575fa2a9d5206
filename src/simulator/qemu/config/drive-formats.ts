import { diskSizeFormat, urlEncodedFormat } from "../../core/schema/formats.ts";
import { type PropertyFormat, propertyFormat } from "../../core/schema/property-string.ts";
import { boolean, integer, number, type Properties, string } from "../../core/schema/schema.ts";
import { volumeIdFormat } from "../../storage/formats.ts";
import { volumeIdOrPathFormat, volumeIdOrQmPathFormat } from "./volume-formats.ts";

// Property strings of drives: qemu-server `src/PVE/QemuServer/Drive.pm`.

const optionalBoolean = boolean({ optional: true });
const optionalInteger = integer({ optional: true });
const optionalNumber = number({ optional: true });
const burstLength = integer({ optional: true, minimum: 1 });
const choice = <const E extends readonly string[]>(...values: E) => string({ optional: true, enum: values });
const aliasOf = (key: string) => string({ optional: true, alias: key });

const volume = {
  volume: aliasOf("file"),
  file: string({ format: volumeIdOrQmPathFormat, default_key: true }),
  format: choice("raw", "qcow", "qed", "qcow2", "vmdk", "cloop"),
  size: string({ optional: true, format: diskSizeFormat }),
} as const;

const common = {
  ...volume,
  media: string({ optional: true, enum: ["cdrom", "disk"], default: "disk" }),
  snapshot: optionalBoolean,
  cache: choice("none", "writethrough", "writeback", "unsafe", "directsync"),
  backup: optionalBoolean,
  replicate: boolean({ optional: true, default: 1 }),
  rerror: choice("ignore", "report", "stop"),
  werror: choice("enospc", "ignore", "report", "stop"),
  aio: choice("native", "threads", "io_uring"),
  discard: choice("ignore", "on"),
  detect_zeroes: optionalBoolean,
  serial: string({ optional: true, format: urlEncodedFormat, maxLength: 60 }),
  shared: boolean({ optional: true, default: 0 }),
  bps: optionalInteger,
  bps_rd: optionalInteger,
  bps_wr: optionalInteger,
  mbps: optionalNumber,
  mbps_rd: optionalNumber,
  mbps_wr: optionalNumber,
  iops: optionalInteger,
  iops_rd: optionalInteger,
  iops_wr: optionalInteger,
  mbps_max: optionalNumber,
  mbps_rd_max: optionalNumber,
  mbps_wr_max: optionalNumber,
  iops_max: optionalInteger,
  iops_rd_max: optionalInteger,
  iops_wr_max: optionalInteger,
  bps_max_length: burstLength,
  bps_rd_max_length: burstLength,
  bps_wr_max_length: burstLength,
  iops_max_length: burstLength,
  iops_rd_max_length: burstLength,
  iops_wr_max_length: burstLength,
  bps_rd_length: aliasOf("bps_rd_max_length"),
  bps_wr_length: aliasOf("bps_wr_max_length"),
  iops_rd_length: aliasOf("iops_rd_max_length"),
  iops_wr_length: aliasOf("iops_wr_max_length"),
} as const;

const iothread = { iothread: optionalBoolean } as const;
const model = { model: string({ optional: true, format: urlEncodedFormat, maxLength: 120 }) } as const;
const readOnly = { ro: optionalBoolean } as const;
const ssd = { ssd: optionalBoolean } as const;
const worldwideName = { wwn: string({ optional: true, pattern: "(0x)[0-9a-fA-F]{16}" }) } as const;
const scsiOnly = {
  product: string({ optional: true, pattern: "[A-Za-z0-9\\-_\\s]{0,16}" }),
  queues: integer({ optional: true, minimum: 2 }),
  scsiblock: boolean({ optional: true, default: 0 }),
  vendor: string({ optional: true, pattern: "[A-Za-z0-9\\-_\\s]{0,8}" }),
} as const;

const firmware = {
  efitype: string({ optional: true, enum: ["2m", "4m"], default: "2m" }),
  "pre-enrolled-keys": boolean({ optional: true, default: 0 }),
  "ms-cert": string({ optional: true, enum: ["2011", "2023", "2023w", "2023k"], default: "2011" }),
} as const;

const tpm = { version: string({ optional: true, enum: ["v1.2", "v2.0"], default: "v1.2" }) } as const;

const keysOfBus = {
  ide: { ...common, ...model, ...ssd, ...worldwideName },
  sata: { ...common, ...ssd, ...worldwideName },
  scsi: { ...common, ...iothread, ...scsiOnly, ...readOnly, ...ssd, ...worldwideName },
  virtio: { ...common, ...iothread, ...readOnly },
  efidisk: { ...volume, ...firmware },
  tpmstate: { ...volume, format: choice("raw", "qcow2", "vmdk"), ...tpm },
} as const;

const importFrom = { "import-from": string({ optional: true, format: volumeIdOrPathFormat }) } as const;

const formatsByBus = (more: Properties): Readonly<Record<string, PropertyFormat>> =>
  Object.fromEntries(
    Object.entries<Properties>(keysOfBus).map(([bus, keys]) => [bus, propertyFormat({ ...keys, ...more })]),
  );

/** The options of a drive in the configuration, by bus. */
export const driveFormats = formatsByBus({});

/** The options of a drive in a request, which can also ask for an import. */
export const driveRequestFormats = formatsByBus(importFrom);

/** The `cdrom` option: an alias of `ide2`. */
export const ideFormat = propertyFormat(keysOfBus.ide, { name: "pve-qm-ide" });

export const unusedFormat = propertyFormat({
  volume: aliasOf("file"),
  file: string({ format: volumeIdFormat, default_key: true }),
});

const anyDrive = {
  ...common,
  ...iothread,
  ...model,
  ...scsiOnly,
  ...readOnly,
  ...ssd,
  ...worldwideName,
  ...tpm,
  ...firmware,
};

/** Drives are printed by one format for all buses (`print_drive`). */
export const anyDriveFormat = propertyFormat(anyDrive);
export const anyDriveRequestFormat = propertyFormat({ ...anyDrive, ...importFrom });

/** The number of slots of each bus, in the order in which PVE searches for a boot disk (`valid_drive_names`). */
export const driveSlots: readonly string[] = [
  ...slots("ide", 4),
  ...slots("scsi", 31),
  ...slots("virtio", 16),
  ...slots("sata", 6),
  "efidisk0",
  "tpmstate0",
];

export const unusedSlots: readonly string[] = slots("unused", 256);

function slots(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}
