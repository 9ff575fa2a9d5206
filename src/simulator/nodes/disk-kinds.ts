import { die } from "../core/kernel/failure.ts";
import type { DiskPool } from "../core/world/node.ts";

// What disks of a host can be used for (pve-storage `src/PVE/API2/Disks/{LVM,LVMThin,ZFS,Directory}.pm`).

export interface Kind {
  readonly type: DiskPool["type"];
  /** The `used` of a disk in such a pool, as `disks/list` shows it. */
  readonly usage: string;
  readonly task: string;
  /** Why a name cannot be used again. */
  taken(name: string, node: string): string;
  /** The storage that `add_storage` creates for it. */
  storage(name: string): { readonly type: string; readonly options: Record<string, string> };
}

export const kinds: Readonly<Record<DiskPool["type"], Kind>> = {
  lvm: {
    type: "lvm",
    usage: "LVM",
    task: "lvm",
    taken: (name, here) => `volume group with name '${name}' already exists on node '${here}'`,
    storage: (name) => ({ type: "lvm", options: { vgname: name, content: "rootdir,images", shared: "0" } }),
  },
  lvmthin: {
    type: "lvmthin",
    usage: "LVM",
    task: "lvmthin",
    taken: (name, here) => `volume group with name '${name}' already exists on node '${here}'`,
    storage: (name) => ({ type: "lvmthin", options: { vgname: name, thinpool: name, content: "rootdir,images" } }),
  },
  zfs: {
    type: "zfs",
    usage: "ZFS",
    task: "zfs",
    taken: (name, here) => `pool '${name}' already exists on node '${here}'`,
    storage: (name) => ({
      type: "zfspool",
      options: { pool: name, content: "rootdir,images", mountpoint: `/${name}` },
    }),
  },
  directory: {
    type: "directory",
    usage: "mounted",
    task: "dir",
    taken: (name) => `a systemd mount unit already exists: /etc/systemd/system/mnt-pve-${name}.mount`,
    storage: (name) => ({
      type: "dir",
      options: {
        path: `/mnt/pve/${name}`,
        content: "images,rootdir,vztmpl,iso,backup,snippets",
        is_mountpoint: "1",
      },
    }),
  },
};

const fewestDisks: Readonly<Record<string, number>> = {
  single: 1,
  mirror: 2,
  raid10: 4,
  raidz: 3,
  raidz2: 4,
  raidz3: 5,
  draid: 3,
  draid2: 4,
  draid3: 5,
};

/** How many disks a level takes, and what only some levels take. */
export function checkLevel(level: string, count: number, draid: string | undefined): void {
  const fewest = fewestDisks[level] ?? 1;
  if (draid !== undefined && !level.startsWith("draid")) {
    die("draid-config set without using dRAID level");
  }
  if (level === "single" && count !== 1) {
    die("'single' needs exactly one disk");
  }
  if (level === "raid10" && count % 2 !== 0) {
    die("'raid10' needs an even number of disks");
  }
  if (count < fewest) {
    die(`'${level}' needs at least ${fewest} disks`);
  }
}
