import type { Row } from "./row.ts";

export const backupJobRow: Row = {
  type: "proxmox_backup_job",
  base: { id: "nightly", schedule: "21:00", all: true, storage: "nas" },
  apart: ["all", "script", "temporary_directory", "dump_directory"],
  values: {
    schedule: ["mon..fri 22:30", "*-*-1 02:00"],
    exclude: [[101], [103, 102]],
    storage: ["nas", "local"],
    node: ["pve1", "pve2"],
    enabled: [false, true],
    comment: ["first", "second"],
    repeat_missed: [true, false],
    mode: ["stop", "snapshot"],
    compression: ["zstd", "none"],
    "prune.keep_all": [true, true],
    remove: [false, true],
    protected: [true, false],
    notes_template: ["{{guestname}}", "{{vmid}} on {{node}}"],
    notification_mode: ["notification-system", "auto"],
    mailto: [["ann@example.com"], ["root@pam", "ben@example.com"]],
    mail_notification: ["failure", "always"],
    bandwidth_limit: [0, 1024],
    ionice: [0, 8],
    lock_wait: [0, 60],
    stop_wait: [0, 20],
    pigz_threads: [0, 4],
    zstd_threads: [0, 4],
    "performance.max_workers": [1, 32],
    "performance.pbs_entries_max": [1, 2048],
    fleecing: [{ enabled: true, storage: "local-lvm" }, { enabled: false }],
    pbs_change_detection_mode: ["metadata", "data"],
    exclude_paths: [["/tmp/*"], ["/var/cache/*", "/a, b"]],
    standard_excludes: [false, true],
  },
  others: [
    {
      base: { id: "some", schedule: "daily", vmids: [101] },
      values: {
        vmids: [[102, 101], [103]],
        "prune.keep_last": [3, 1],
        "prune.keep_hourly": [3, 1],
        "prune.keep_daily": [3, 1],
        "prune.keep_weekly": [3, 1],
        "prune.keep_monthly": [3, 1],
        "prune.keep_yearly": [3, 1],
        "fleecing.enabled": [false, false],
      },
    },
    {
      base: { id: "team", schedule: "*/30", pool: "blue", fleecing: { enabled: true, storage: "local-lvm" } },
      values: { pool: ["green", "blue"], "fleecing.storage": ["ceph", "local-lvm"] },
    },
  ],
};

export const replicationRow: Row = {
  type: "proxmox_replication",
  base: { id: "104-0", target: "pve2" },
  values: {
    schedule: ["*/30", "mon..fri 22:30"],
    rate: [10, 1.5],
    enabled: [false, true],
    comment: ["first", "second"],
  },
};
