import { decimal, flag, integer, text, word } from "./fields.ts";
import { propertyString, type ValuesOf } from "./property-string.ts";

// Server side: qemu-server `src/PVE/QemuServer/Drive.pm`.

const volume = {
  /** A volume id; in requests also `<storage>:<GiB>`, `<storage>:cloudinit`, `none`, `cdrom`. */
  file: text(),
  /** Only for a new volume; PVE does not store it. */
  format: word("raw", "qcow2", "qcow", "qed", "vmdk", "cloop"),
  /** Copies this volume or file instead of allocating an empty one; PVE does not store it. */
  "import-from": text(),
  /** Informational, PVE computes it. */
  size: text(),
};

const drive = {
  ...volume,
  aio: word("native", "threads", "io_uring"),
  backup: flag(),
  bps: integer(),
  bps_max_length: integer(),
  bps_rd: integer(),
  bps_rd_max_length: integer(),
  bps_wr: integer(),
  bps_wr_max_length: integer(),
  cache: word("none", "writethrough", "writeback", "unsafe", "directsync"),
  detect_zeroes: flag(),
  discard: word("ignore", "on"),
  iops: integer(),
  iops_max: integer(),
  iops_max_length: integer(),
  iops_rd: integer(),
  iops_rd_max: integer(),
  iops_rd_max_length: integer(),
  iops_wr: integer(),
  iops_wr_max: integer(),
  iops_wr_max_length: integer(),
  mbps: decimal(),
  mbps_max: decimal(),
  mbps_rd: decimal(),
  mbps_rd_max: decimal(),
  mbps_wr: decimal(),
  mbps_wr_max: decimal(),
  media: word("disk", "cdrom"),
  replicate: flag(),
  rerror: word("ignore", "report", "stop"),
  serial: text(),
  shared: flag(),
  snapshot: flag(),
  werror: word("enospc", "ignore", "report", "stop"),
};

const aliases = {
  volume: "file",
  bps_rd_length: "bps_rd_max_length",
  bps_wr_length: "bps_wr_max_length",
  iops_rd_length: "iops_rd_max_length",
  iops_wr_length: "iops_wr_max_length",
} as const;

export const scsi = propertyString({
  defaultKey: "file",
  aliases,
  fields: {
    ...drive,
    iothread: flag(),
    product: text(),
    queues: integer(),
    ro: flag(),
    scsiblock: flag(),
    ssd: flag(),
    vendor: text(),
    wwn: text(),
  },
});

export const virtio = propertyString({
  defaultKey: "file",
  aliases,
  fields: { ...drive, iothread: flag(), ro: flag() },
});

export const sata = propertyString({ defaultKey: "file", aliases, fields: { ...drive, ssd: flag(), wwn: text() } });

export const ide = propertyString({
  defaultKey: "file",
  aliases,
  fields: { ...drive, model: text(), ssd: flag(), wwn: text() },
});

export const efidisk = propertyString({
  defaultKey: "file",
  aliases: { volume: "file" },
  fields: {
    ...volume,
    efitype: word("2m", "4m"),
    "ms-cert": word("2011", "2023", "2023w", "2023k"),
    "pre-enrolled-keys": flag(),
  },
});

export const tpmstate = propertyString({
  defaultKey: "file",
  aliases: { volume: "file" },
  fields: { ...volume, version: word("v1.2", "v2.0") },
});

/** A volume that the guest owns and does not use, such as a detached drive. */
export const unused = propertyString({ defaultKey: "file", aliases: { volume: "file" }, fields: { file: text() } });

export type ScsiDrive = ValuesOf<typeof scsi>;
export type VirtioDrive = ValuesOf<typeof virtio>;
export type SataDrive = ValuesOf<typeof sata>;
export type IdeDrive = ValuesOf<typeof ide>;
export type EfiDisk = ValuesOf<typeof efidisk>;
export type TpmState = ValuesOf<typeof tpmstate>;
