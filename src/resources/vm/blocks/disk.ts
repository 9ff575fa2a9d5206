import querystring from "node:querystring";
import { bool, group, inherits, int, matches, number, oneOf, slotted, string } from "#kit";
import { ofSource } from "../../guest/attributes.ts";
import { families } from "../slots.ts";
import { isCdrom } from "./drive-slots.ts";
import { newVolume, volume } from "./volume.ts";

const onOff = { parse: (raw: unknown) => raw === "on", print: (value: unknown) => (value ? "on" : "ignore") };
const percentEncoded = {
  // Also where another client has stored what is no escape.
  parse: (raw: unknown) => querystring.unescape(String(raw)),
  print: (value: unknown) => encodeURIComponent(String(value)),
};
/** What SCSI calls a vendor or a product. */
const scsiText = (longest: number) =>
  string({
    check: matches(
      new RegExp(`^[A-Za-z0-9_ -]{1,${longest}}$`),
      `at most ${longest} letters, digits, blanks, \`-\` and \`_\``,
    ),
  });
const megabytes = number({ min: 0 });
const operations = int({ min: 0 });

/** One limit for both directions excludes one for each, so giving the one takes the others away. */
const both = (kind: "mbps" | "iops", type: typeof megabytes, doc: string) =>
  inherits(type, `{slot}/${kind}`, doc, {
    clears: [`{slot}/${kind}_rd`, `{slot}/${kind}_wr`],
    keep: { unless: [`${kind}_read`, `${kind}_write`] },
  });
const each = (kind: "mbps" | "iops", direction: "rd" | "wr", type: typeof megabytes, doc: string) =>
  inherits(type, `{slot}/${kind}_${direction}`, doc, { clears: [`{slot}/${kind}`], keep: { unless: [kind] } });

const limits = group(
  {
    mbps: both("mbps", megabytes, "MB/s in all."),
    mbps_read: each("mbps", "rd", megabytes, "MB/s read."),
    mbps_write: each("mbps", "wr", megabytes, "MB/s written."),
    mbps_burst: inherits(megabytes, "{slot}/mbps_max", "MB/s in all, for a moment."),
    mbps_read_burst: inherits(megabytes, "{slot}/mbps_rd_max", "MB/s read, for a moment."),
    mbps_write_burst: inherits(megabytes, "{slot}/mbps_wr_max", "MB/s written, for a moment."),
    mbps_burst_seconds: inherits(operations, "{slot}/bps_max_length", "How long a burst of `mbps` lasts."),
    mbps_read_burst_seconds: inherits(operations, "{slot}/bps_rd_max_length", "How long a burst of reading lasts."),
    mbps_write_burst_seconds: inherits(operations, "{slot}/bps_wr_max_length", "How long a burst of writing lasts."),
    iops: both("iops", operations, "Operations per second in all."),
    iops_read: each("iops", "rd", operations, "Reads per second."),
    iops_write: each("iops", "wr", operations, "Writes per second."),
    iops_burst: inherits(operations, "{slot}/iops_max", "Operations per second in all, for a moment."),
    iops_read_burst: inherits(operations, "{slot}/iops_rd_max", "Reads per second, for a moment."),
    iops_write_burst: inherits(operations, "{slot}/iops_wr_max", "Writes per second, for a moment."),
    iops_burst_seconds: inherits(operations, "{slot}/iops_max_length", "How long a burst of `iops` lasts."),
    iops_read_burst_seconds: inherits(operations, "{slot}/iops_rd_max_length", "How long a burst of reads lasts."),
    iops_write_burst_seconds: inherits(operations, "{slot}/iops_wr_max_length", "How long a burst of writes lasts."),
  },
  "How much the disk may do per second. `mbps` excludes `mbps_read` and `mbps_write`; the same for `iops`.",
);

/** Which bus knows which setting (qemu-server: src/PVE/QemuServer/Drive.pm). Settings not listed are known to all. */
export const busesOf: Readonly<Record<string, readonly string[]>> = {
  ssd: ["scsi", "sata", "ide"],
  iothread: ["scsi", "virtio"],
  read_only: ["scsi", "virtio"],
  queues: ["scsi"],
  scsi_block: ["scsi"],
  vendor: ["scsi"],
  product: ["scsi"],
  model: ["ide"],
  wwn: ["scsi", "sata", "ide"],
};

/** Server side: qemu-server `src/PVE/QemuServer/Drive.pm`. */
export const disk = {
  disks: slotted(
    {
      families: families.disks,
      needsSetting: true,
      holds: (draft, slot) => !isCdrom(draft, slot),
      begin: newVolume,
    },
    {
      ...volume,
      import_from: {
        type: string(),
        mode: "optional",
        local: true,
        replace: ofSource,
        doc: "Volume whose content a new disk is made from, such as `local:import/debian.qcow2`. Read only when the disk is created, as `clone` is: another image is no change to a disk that exists, and a warning says so.",
      },
      on_remove: {
        type: oneOf(["detach", "delete"]),
        mode: "optional",
        local: true,
        doc: "What becomes of the data when the slot leaves the map: `detach` (default) keeps it as an unused volume.",
      },
      cache: inherits(
        oneOf(["none", "writethrough", "writeback", "unsafe", "directsync"]),
        "{slot}/cache",
        "How the host caches.",
      ),
      aio: inherits(oneOf(["native", "threads", "io_uring"]), "{slot}/aio", "How the host does asynchronous I/O."),
      discard: inherits(bool(), "{slot}/discard", "Whether freed blocks are given back to the storage.", { as: onOff }),
      ssd: inherits(bool(), "{slot}/ssd", "Whether the guest sees a solid-state disk."),
      iothread: inherits(bool(), "{slot}/iothread", "Whether the disk has a thread of its own."),
      backup: inherits(bool(), "{slot}/backup", "Whether backups contain the disk."),
      replicate: inherits(bool(), "{slot}/replicate", "Whether replication jobs copy the disk."),
      read_only: inherits(bool(), "{slot}/ro", "Whether the guest may only read."),
      serial: inherits(string(), "{slot}/serial", "Serial number the guest sees.", { as: percentEncoded }),
      detect_zeroes: inherits(bool(), "{slot}/detect_zeroes", "Whether written zeroes are noticed and discarded."),
      shared: inherits(bool(), "{slot}/shared", "Whether the volume is there on every node, though PVE cannot know."),
      snapshot: inherits(bool(), "{slot}/snapshot", "Whether writes are thrown away when the guest stops."),
      read_error: inherits(oneOf(["ignore", "report", "stop"]), "{slot}/rerror", "What to do when reading fails."),
      write_error: inherits(
        oneOf(["enospc", "ignore", "report", "stop"]),
        "{slot}/werror",
        "What to do when writing fails.",
      ),
      queues: inherits(int({ min: 2 }), "{slot}/queues", "Number of queues."),
      scsi_block: inherits(bool(), "{slot}/scsiblock", "Whether a host block device is passed through whole."),
      vendor: inherits(scsiText(8), "{slot}/vendor", "Vendor the guest sees."),
      product: inherits(scsiText(16), "{slot}/product", "Product the guest sees."),
      model: inherits(string(), "{slot}/model", "Model the guest sees.", { as: percentEncoded }),
      wwn: inherits(
        string({ check: matches(/^0x[0-9a-fA-F]{16}$/, "a world wide name such as `0x5000c500a1b2c3d4`") }),
        "{slot}/wwn",
        "World wide name.",
      ),
      limits,
    },
    "Disks by slot. A slot that is not mentioned is left alone, one the template has is patched, a new one is created.",
  ),
} as const;
