/** The parts of the name of a backup (`archive_info` of pve-storage `src/PVE/Storage.pm`). */
export interface ArchiveInfo {
  readonly type: "qemu" | "lxc" | "openvz";
  /** `vma` for VMs, `tar` otherwise. */
  readonly format: string;
  /** Only for names of the standard form. */
  readonly vmid?: number;
  /** Seconds since the epoch. */
  readonly ctime?: number;
}

const pattern = /vzdump-(lxc|openvz|qemu)-.+?\.((?:tgz|tar|vma)(?:\.(?:gz|lzo|zst|bz2))?)$/;
const standard = /vzdump-\w+-([1-9]\d{2,8})-(\d{4})_(\d\d)_(\d\d)-(\d\d)_(\d\d)_(\d\d)\.[\w.]+$/;

export function archiveInfo(volid: string): ArchiveInfo | undefined {
  const [, type, extension = ""] = pattern.exec(volid) ?? [];
  if (type === undefined) {
    return undefined;
  }
  const parts = standard.exec(volid);
  const format = extension.replace(/\..*/, "").replace("tgz", "tar");
  if (parts === null) {
    return { type: type as ArchiveInfo["type"], format };
  }
  const [vmid, year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [...Array<number>] as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const ctime = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return { type: type as ArchiveInfo["type"], format, vmid, ctime };
}

const extensions: Readonly<Record<string, string>> = { "1": ".lzo", lzo: ".lzo", gzip: ".gz", zstd: ".zst" };

/** `vzdump-qemu-100-2026_11_16-13_45_33.vma.zst`. */
export function archiveName(type: "qemu" | "lxc", vmid: number, seconds: number, compress: string): string {
  const stamp = new Date(seconds * 1000)
    .toISOString()
    .slice(0, 19)
    .replace("T", "-")
    .replaceAll(/(\d{4})-(\d\d)-(\d\d)-(\d\d):(\d\d):(\d\d)/g, "$1_$2_$3-$4_$5_$6");
  return `vzdump-${type}-${vmid}-${stamp}${type === "qemu" ? ".vma" : ".tar"}${extensions[compress] ?? ""}`;
}
