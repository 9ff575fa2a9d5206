/** A lock: a flock on one node or a pmxcfs lock of the whole cluster. */
export interface Lock {
  readonly kind: "flock" | "cfs";
  /** The lock file, or the pmxcfs lock's id; both appear in PVE's messages. */
  readonly id: string;
}

export interface LockOptions {
  /** Seconds to wait; 10 by default, as in PVE. */
  readonly seconds?: number;
  readonly shared?: boolean;
}

/** The key in the lock table: flocks are local to a node, pmxcfs locks belong to the cluster. */
export function lockKey(lock: Lock, node: string): string {
  return lock.kind === "flock" ? `${node}:${lock.id}` : lock.id;
}

/** A guest's configuration file; PVE waits 10 s by default. */
export function guestConfigLock(type: "qemu" | "lxc", vmid: number): Lock {
  return {
    kind: "flock",
    id: type === "qemu" ? `/var/lock/qemu-server/lock-${vmid}.conf` : `/run/lock/lxc/pve-config-${vmid}.lock`,
  };
}

/** Migration and replication of a guest (PVE::GuestHelpers::guest_migration_lock). */
export function migrationLock(vmid: number): Lock {
  return { kind: "flock", id: `/var/lock/pve-manager/pve-migrate-${vmid}` };
}

/** Allocation, removal and cloning of volumes (PVE::Storage::Plugin::cluster_lock_storage). */
export function storageLock(storage: string, shared: boolean): Lock {
  return shared
    ? { kind: "cfs", id: `storage-${storage}` }
    : { kind: "flock", id: `/var/lock/pve-manager/pve-storage-${storage}` };
}

/** A file under /etc/pve such as `user.cfg` or `storage.cfg` (PVE::Cluster::cfs_lock_file). */
export function clusterFileLock(file: string): Lock {
  return { kind: "cfs", id: `file-${file.replace(/[./]/g, "_")}` };
}
