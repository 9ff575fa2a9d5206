import { bpg, onlyIf, opposite } from "#kit";

const common = { id: "id", content: "content", nodes: "nodes", enabled: opposite("disable") } as const;

const backups = {
  "prune.keep_all": onlyIf(true, "backups.keep_all"),
  "prune.keep_last": "backups.keep_last",
  "prune.keep_hourly": "backups.keep_hourly",
  "prune.keep_daily": "backups.keep_daily",
  "prune.keep_weekly": "backups.keep_weekly",
  "prune.keep_monthly": "backups.keep_monthly",
  "prune.keep_yearly": "backups.keep_yearly",
  max_protected_backups: "backups.max_protected_backups",
} as const;

/** What all types that keep files have. */
const files = (type: string) => ({
  ...common,
  ...backups,
  [`${type}.preallocation`]: "preallocation",
  [`${type}.create_base_path`]: "create_base_path",
  [`${type}.create_subdirs`]: "create_subdirs",
  ...(type !== "dir" && { [`${type}.snapshot_as_volume_chain`]: "snapshot_as_volume_chain" }),
});

/** bpg's provider has a type for each of seven types of storage. */
export const storagesMovedFrom = [
  bpg("storage_directory", { ...files("dir"), "dir.path": "path", "dir.shared": "shared" }),
  bpg("storage_nfs", {
    ...files("nfs"),
    "nfs.server": "server",
    "nfs.export": "export",
    "nfs.options": "options",
  }),
  bpg("storage_cifs", {
    ...files("cifs"),
    "cifs.server": "server",
    "cifs.share": "share",
    "cifs.subdir": "subdirectory",
    "cifs.username": "username",
    "cifs.domain": "domain",
    "cifs.options": "options",
  }),
  bpg("storage_lvm", {
    ...common,
    "lvm.volume_group": "volume_group",
    "lvm.shared": "shared",
    "lvm.safe_remove": "wipe_removed_volumes",
  }),
  bpg("storage_lvmthin", {
    ...common,
    "lvmthin.volume_group": "volume_group",
    "lvmthin.thin_pool": "thin_pool",
  }),
  bpg("storage_zfspool", {
    ...common,
    "zfspool.pool": "zfs_pool",
    "zfspool.block_size": "blocksize",
    "zfspool.sparse": "thin_provision",
  }),
  bpg("storage_pbs", {
    ...common,
    ...backups,
    "pbs.server": "server",
    "pbs.datastore": "datastore",
    "pbs.namespace": "namespace",
    "pbs.username": "username",
    "pbs.fingerprint": "fingerprint",
  }),
];
