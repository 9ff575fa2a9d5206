import type { Guest } from "../core/world/guest.ts";
import { mountsOf, mountType } from "../lxc/mounts.ts";
import { drivesOf, isCdrom } from "../qemu/config/drive.ts";

/** A volume of a guest, and whether its backups contain it. */
export interface BackupVolume {
  readonly key: string;
  readonly volume: string;
  readonly isIncluded: boolean;
  readonly reason: string;
  /** Bytes, if the configuration contains the size. */
  readonly size: string | undefined;
  /** For a container: the mount point and the kind of mount. */
  readonly mount?: { readonly path: string; readonly type: string };
}

/** `get_backup_volumes` of qemu-server `src/PVE/QemuConfig.pm` and pve-container `src/PVE/LXC/Config.pm`. */
export function backupVolumes({ type, config }: Pick<Guest, "type" | "config">): BackupVolume[] {
  if (type === "lxc") {
    return mountsOf(config).map(([key, mount]) => {
      const kind = mountType(mount);
      const isIncluded = key === "rootfs" || (kind === "volume" && mount["backup"] === "1");
      const reason =
        key === "rootfs" ? "rootfs" : kind !== "volume" ? "not a volume" : isIncluded ? "enabled" : "disabled";
      const path = key === "rootfs" ? "/" : (mount["mp"] ?? "");
      return { key, volume: mount.volume, isIncluded, reason, size: mount["size"], mount: { path, type: kind } };
    });
  }
  return drivesOf(config)
    .filter(([, drive]) => !isCdrom(drive))
    .map(([key, drive]) => {
      const volume = { key, volume: drive.file, size: drive.size };
      if (key.startsWith("efidisk") && config["bios"] !== "ovmf") {
        return { ...volume, isIncluded: false, reason: "efidisk but no OVMF BIOS" };
      }
      // PVE only checks whether the option is present, so `backup=1` also gives the reason `backup=no`.
      const reason = `backup=${drive["backup"] === undefined ? "yes" : "no"}`;
      return { ...volume, isIncluded: drive["backup"] !== "0", reason };
    });
}
