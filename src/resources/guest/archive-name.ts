import type { GuestType } from "#pve";

export interface ArchiveName {
  /** Null: the name does not tell it. */
  readonly type: GuestType | null;
  /** The guest that was backed up. */
  readonly vmid: number | null;
}

/**
 * The guest of a backup, by the name of the volume: a file of `vzdump`, or a snapshot on a Proxmox Backup Server
 * (pve-storage: src/PVE/Storage/Plugin.pm, src/PVE/Storage/PBSPlugin.pm, `parse_volname`). Null: it is no backup.
 */
export function parseArchiveName(volume: string): ArchiveName | null {
  const [, name] = /^[A-Za-z][\w.-]*:backup\/([^\s]+)$/.exec(volume) ?? [];
  if (name === undefined) return null;
  const [, kind, vmid] = /^(?:vzdump-)?(qemu|lxc|openvz|vm|ct)[-/](\d+)[-/]/.exec(name) ?? [];
  if (kind === undefined) return { type: null, vmid: null };
  return { type: kind === "qemu" || kind === "vm" ? "qemu" : "lxc", vmid: Number(vmid) };
}
