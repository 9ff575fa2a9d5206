import type { RawConfig } from "#kit";

/**
 * When the VM was created, in Unix seconds; null for VMs that are older than the record (qemu-server: src/PVE/QemuServer/
 * MetaInfo.pm). A clone has the time of its source, since PVE copies the record.
 */
export function creationOf(options: RawConfig): number | null {
  const seconds = /(?:^|,)ctime=(\d+)/.exec(String(options["meta"] ?? ""))?.[1];
  return seconds === undefined ? null : Number(seconds);
}
