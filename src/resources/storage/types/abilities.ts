import type { blockTypes } from "./block-types.ts";
import type { fileTypes } from "./file-types.ts";
import type { serverTypes } from "./server-types.ts";

export type StorageType = keyof typeof fileTypes | keyof typeof blockTypes | keyof typeof serverTypes;

export const contentTypes = ["images", "rootdir", "vztmpl", "iso", "backup", "snippets", "import", "none"] as const;

type Content = (typeof contentTypes)[number];

interface Abilities {
  readonly content: readonly Content[];
  /** What PVE assumes where `content` is left out. */
  readonly usual: readonly Content[];
  /** Whether it takes `prune` and `max_protected_backups`. */
  readonly keepsBackups?: true;
  readonly hasNoLimits?: true;
}

const disks = ["images", "rootdir"] as const;
const files = ["vztmpl", "iso", "backup", "snippets", "import"] as const;

/** What each type can hold and be given: pve-storage `src/PVE/Storage/*Plugin.pm`, `plugindata` and `options`. */
export const abilities: Readonly<Record<StorageType, Abilities>> = {
  dir: { content: [...disks, ...files, "none"], usual: disks, keepsBackups: true },
  btrfs: { content: [...disks, ...files, "none"], usual: disks, keepsBackups: true, hasNoLimits: true },
  nfs: { content: [...disks, ...files], usual: ["images"], keepsBackups: true },
  cifs: { content: [...disks, ...files], usual: ["images"], keepsBackups: true },
  cephfs: { content: files, usual: ["backup"], keepsBackups: true },
  lvm: { content: disks, usual: ["images"] },
  lvmthin: { content: disks, usual: disks },
  zfspool: { content: disks, usual: disks },
  zfs: { content: ["images"], usual: ["images"] },
  iscsi: { content: ["images", "none"], usual: ["images"] },
  iscsidirect: { content: ["images", "none"], usual: ["images"] },
  rbd: { content: disks, usual: ["images"] },
  pbs: { content: ["backup", "none"], usual: ["backup"], keepsBackups: true, hasNoLimits: true },
  esxi: { content: ["import"], usual: ["import"], hasNoLimits: true },
};

export const storageTypes = Object.keys(abilities) as StorageType[];
