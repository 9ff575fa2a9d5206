import type { LegacyState } from "#kit";
import { gibibytes } from "../../guest/moves.ts";
import type { DiskPart } from "./move.ts";

export function blockDisk(disk: LegacyState): DiskPart {
  const [storage, path] = [disk.text("datastore_id"), disk.text("path_in_datastore")];
  const speed = disk.block("speed");
  return {
    ...diskOptions(disk),
    // Host devices have a path and no storage.
    volume: path === undefined ? undefined : storage === undefined ? path : `${storage}:${path}`,
    format: disk.text("file_format"),
    size: gibibytes(disk.count("size")),
    queues: disk.count("queues"),
    limits: {
      mbps_read: speed.count("read"),
      mbps_read_burst: speed.count("read_burstable"),
      mbps_write: speed.count("write"),
      mbps_write_burst: speed.count("write_burstable"),
      iops_read: speed.count("iops_read"),
      iops_read_burst: speed.count("iops_read_burstable"),
      iops_write: speed.count("iops_write"),
      iops_write_burst: speed.count("iops_write_burstable"),
    },
  };
}

export const slotDisk = (disk: LegacyState): DiskPart => ({
  ...diskOptions(disk),
  volume: disk.text("file"),
  format: disk.text("format"),
  size: gibibytes(disk.count("size_gb")),
});

function diskOptions(disk: LegacyState): DiskPart {
  const discard = disk.text("discard");
  return {
    storage: disk.text("datastore_id"),
    import_from: disk.text("import_from"),
    aio: disk.text("aio"),
    backup: disk.flag("backup"),
    cache: disk.text("cache"),
    discard: discard === undefined ? undefined : discard === "on",
    iothread: disk.flag("iothread"),
    replicate: disk.flag("replicate"),
    serial: disk.text("serial"),
    ssd: disk.flag("ssd"),
  };
}
