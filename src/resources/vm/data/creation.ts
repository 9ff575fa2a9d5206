import type { RawConfig } from "#kit";

/**
 * When the VM was created, in Unix seconds; null for those older than the record (qemu-server: src/PVE/QemuServer/
 * MetaInfo.pm). A clone has its source's, since PVE copies the record with everything else.
 */
export function creationOf(options: RawConfig): number | null {
  const seconds = /(?:^|,)ctime=(\d+)/.exec(String(options["meta"] ?? ""))?.[1];
  return seconds === undefined ? null : Number(seconds);
}
