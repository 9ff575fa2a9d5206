import type { LegacyState } from "#kit";
import type { DiskPart, VmPart } from "./move.ts";

/** A slot and what is in it, whichever of the three ways it was written. */
interface Drive {
  readonly slot: string;
  readonly kind: string;
  readonly drive: LegacyState;
}

/**
 * `disks` has a block for every slot there is, `disk` is a list with the slot's name in it; up to 2.9 that name was two
 * members. A slot marked `ignore` was never managed.
 */
export function drives(vm: LegacyState): Pick<VmPart, "disks" | "cdroms" | "cloud_init"> {
  const all = [...inSlots(vm.block("disks")), ...vm.blocks("disk").flatMap(inList)];
  const ofKind = (...kinds: string[]) => all.filter(({ kind }) => kinds.includes(kind));
  const [cloudInit] = ofKind("cloudinit");
  return {
    disks: Object.fromEntries(
      ofKind("disk", "passthrough").map(({ slot, drive, kind }) => [slot, disk(drive, kind === "passthrough")]),
    ),
    cdroms: Object.fromEntries(ofKind("cdrom").map(({ slot, drive }) => [slot, { file: medium(drive) }])),
    cloud_init: cloudInit && { slot: cloudInit.slot, storage: cloudInit.drive.text("storage") },
  };
}

const inSlots = (buses: LegacyState): Drive[] =>
  buses.entries.flatMap(([, bus]) =>
    bus.entries
      .filter(([, content]) => !content.flag("ignore"))
      .flatMap(([slot, content]) => content.entries.map(([kind, drive]) => ({ slot, kind, drive }))),
  );

function inList(drive: LegacyState): Drive[] {
  const [slot, type] = [drive.text("slot"), drive.text("type") ?? "disk"];
  if (slot !== undefined) return [{ slot, drive, kind: drive.flag("passthrough") ? "passthrough" : type }];
  const number = drive.number("slot");
  return number === undefined ? [] : [{ slot: `${type}${number}`, drive, kind: drive.text("media") ?? "disk" }];
}

const medium = (drive: LegacyState): string => drive.text("iso") ?? (drive.flag("passthrough") ? "cdrom" : "none");

/** Only a disk that was passed through names its volume. */
function disk(drive: LegacyState, isPassedThrough: boolean): DiskPart {
  return {
    storage: drive.text("storage"),
    volume: isPassedThrough ? (drive.text("file") ?? drive.text("disk_file")) : drive.text("volume"),
    format: isPassedThrough ? undefined : drive.text("format"),
    size: drive.text("size"),
    aio: drive.text("asyncio"),
    backup: drive.flag("backup"),
    cache: drive.text("cache"),
    discard: drive.flag("discard"),
    ssd: drive.flag("emulatessd"),
    iothread: drive.flag("iothread"),
    read_only: drive.flag("readonly"),
    replicate: drive.flag("replicate"),
    serial: drive.text("serial"),
    wwn: drive.text("wwn"),
    limits: {
      mbps_read: drive.count("mbps_r_concurrent"),
      mbps_read_burst: drive.count("mbps_r_burst"),
      mbps_write: drive.count("mbps_wr_concurrent"),
      mbps_write_burst: drive.count("mbps_wr_burst"),
      iops_read: drive.count("iops_r_concurrent"),
      iops_read_burst: drive.count("iops_r_burst"),
      iops_read_burst_seconds: drive.count("iops_r_burst_length"),
      iops_write: drive.count("iops_wr_concurrent"),
      iops_write_burst: drive.count("iops_wr_burst"),
      iops_write_burst_seconds: drive.count("iops_wr_burst_length"),
    },
  };
}
