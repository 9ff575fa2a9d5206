import type { Row } from "./row.ts";

const directories = (type: string) =>
  ({
    [`${type}.content_dirs`]: [{ iso: "images/iso" }, { iso: "other", backup: "dumps" }],
    [`${type}.create_base_path`]: [true, false],
    [`${type}.create_subdirs`]: [false, true],
  }) as const;
const images = (type: string, other: string) =>
  ({ [`${type}.format`]: ["raw", other], [`${type}.preallocation`]: ["off", "full"] }) as const;
const place = (type: string) =>
  ({ [`${type}.shared`]: [true, false], [`${type}.mount_point`]: ["no", "/srv"] }) as const;
const ceph = (type: string) =>
  ({
    [`${type}.monitors`]: [["10.0.0.1", "10.0.0.2:6789"], ["ceph.example.com"]],
    [`${type}.username`]: ["pve", "other"],
  }) as const;
const target = { portal: "10.9.9.9:3260", target: "iqn.2003-01.org.example:disks" };
const fingerprint = (pair: string) => Array.from({ length: 32 }, () => pair).join(":");

export const storageRow: Row = {
  type: "proxmox_storage",
  base: { id: "data", dir: { path: "/srv/data" } },
  values: {
    content: [["iso"], ["backup", "vztmpl"]],
    nodes: [["pve1"], ["pve3", "pve2"]],
    enabled: [false, true],
    "prune.keep_last": [3, 1],
    "prune.keep_hourly": [3, 1],
    "prune.keep_daily": [3, 1],
    "prune.keep_weekly": [3, 1],
    "prune.keep_monthly": [3, 1],
    "prune.keep_yearly": [3, 1],
    max_protected_backups: [-1, 3],
    "bandwidth_limits.default": [0, 1024],
    "bandwidth_limits.clone": [10, 1024],
    "bandwidth_limits.migration": [10, 1024],
    "bandwidth_limits.move": [10, 10.5],
    "bandwidth_limits.restore": [10, 1024],
    ...place("dir"),
    ...images("dir", "subvol"),
    ...directories("dir"),
  },
  others: [
    {
      base: { id: "tree", btrfs: { path: "/srv/tree" } },
      values: {
        ...place("btrfs"),
        ...images("btrfs", "subvol"),
        "btrfs.nocow": [true, false],
        "btrfs.create_base_path": [true, false],
        "btrfs.create_subdirs": [false, true],
      },
    },
    {
      base: { id: "share", nfs: { server: "nas.example.com", export: "/export" } },
      values: { ...images("nfs", "vmdk"), ...directories("nfs"), "nfs.options": ["vers=4.2", "soft,vers=3"] },
    },
    {
      base: { id: "smb", cifs: { server: "nas.example.com", share: "vms", username: "bob", password: "secret" } },
      values: {
        ...images("cifs", "qcow2"),
        ...directories("cifs"),
        "prune.keep_all": [true, true],
        "cifs.options": ["soft", "hard"],
        "cifs.subdir": ["/proxmox", "/other"],
        "cifs.username": ["ann", "other"],
        "cifs.domain": ["EXAMPLE", "OTHER"],
        "cifs.smb_version": ["3.11", "2.1"],
      },
    },
    {
      base: { id: "cfs", cephfs: {} },
      values: {
        ...ceph("cephfs"),
        ...directories("cephfs"),
        "cephfs.subdir": ["/proxmox", "/other"],
        "cephfs.fs_name": ["first", "second"],
        "cephfs.fuse": [true, false],
        "cephfs.options": ["noatime", "ro"],
      },
    },
    {
      base: { id: "vg", lvm: { volume_group: "vg-data" } },
      values: {
        "lvm.shared": [true, false],
        "lvm.tagged_only": [true, false],
        "lvm.safe_remove": [true, false],
        "lvm.safe_remove_throughput": ["10m", "-1024"],
        "lvm.safe_remove_step_size": [8, 16],
        "lvm.snapshot_as_volume_chain": [true, false],
      },
    },
    {
      base: { id: "thin", lvmthin: { volume_group: "pve", thin_pool: "more" } },
      values: { content: [["images"], ["rootdir"]] },
    },
    {
      base: { id: "tank", zfspool: { pool: "tank/vms" } },
      values: {
        "zfspool.block_size": ["16k", "1m"],
        "zfspool.sparse": [true, false],
        "zfspool.mount_point": ["/mnt/tank", "/tank/others"],
      },
    },
    {
      base: { id: "zfs-san", zfs: { ...target, pool: "tank", block_size: "4k", provider: "iet" } },
      values: {
        "zfs.sparse": [true, false],
        "zfs.write_cache": [false, true],
        "zfs.comstar_host_group": ["first", "second"],
        "zfs.comstar_target_group": ["first", "second"],
        "zfs.lio_target_portal_group": ["tpg1", "tpg2"],
        "zfs.base_path": ["/dev", "/dev/zvol/tank"],
      },
    },
    // A node of the simulator has no open-iscsi, so the storage is not tried out.
    { base: { id: "san", enabled: false, iscsi: target }, values: { content: [["none"], ["images"]] } },
    { base: { id: "san-direct", iscsidirect: target }, values: { content: [["none"], ["images"]] } },
    {
      base: { id: "images", rbd: {} },
      values: {
        ...ceph("rbd"),
        "rbd.pool": ["vms", "other"],
        "rbd.data_pool": ["ec", "other"],
        "rbd.namespace": ["prod", "test"],
        "rbd.krbd": [true, false],
      },
    },
    {
      base: { id: "backups", pbs: { server: "pbs.example.com", datastore: "main" } },
      values: {
        "pbs.namespace": ["prod/site1", "test"],
        "pbs.port": [8007, 443],
        "pbs.username": ["backup@pbs", "backup@pbs!pve"],
        "pbs.fingerprint": [fingerprint("ab"), fingerprint("01")],
      },
    },
    {
      base: { id: "old", esxi: { server: "esxi.example.com", username: "root", password: "secret" } },
      values: {
        "esxi.server": ["10.9.9.1", "other.example.com"],
        "esxi.username": ["ann", "other"],
        "esxi.port": [443, 8443],
        "esxi.skip_certificate_verification": [true, false],
      },
    },
  ],
};
