import { emailOrUser, int, line, list, matches, nested, oneOf, prune, schedule, set, string } from "#kit";
import { bandwidthLimit, compression, flag, mode, notesTemplate, vmid } from "./options.ts";

const rootOnly = "Only root@pam may set it, logged in with a password.";

const path = (wire: string, doc: string) =>
  ({
    type: string({ check: matches(/^\/\S+$/, "an absolute path without blanks") }),
    mode: "optional",
    wire,
    doc: `${doc} ${rootOnly}`,
  }) as const;

const threads = (wire: string, doc: string) => ({ type: int({ min: 0 }), mode: "optional", wire, doc }) as const;

/** Which guests a job is about: exactly one of three ways. */
const selection = {
  all: flag("all", "Whether all guests are backed up. Exactly one of `all`, `vmids` and `pool` must be given."),
  exclude: {
    type: set(vmid, { min: 1 }),
    mode: "optional",
    wire: "exclude",
    doc: "VMIDs of guests that are left out, with `all`. Left out: none.",
  },
  vmids: { type: set(vmid, { min: 1 }), mode: "optional", wire: "vmid", doc: "VMIDs of the guests." },
  pool: { type: string(), mode: "optional", wire: "pool", refers: "pool", doc: "The guests of this pool." },
} as const;

/** Who is notified of a run. */
const notification = {
  notification_mode: {
    type: oneOf(["auto", "legacy-sendmail", "notification-system"]),
    mode: "optional",
    wire: "notification-mode",
    doc: "`notification-system`: `proxmox_notification_matcher` decides who is notified, and `mailto` and `mail_notification` have no effect. `legacy-sendmail`: an e-mail goes to `mailto`. `auto`: the latter if `mailto` is given, otherwise the former. Left out: `auto`.",
  },
  mailto: {
    type: set(string({ check: emailOrUser }), { min: 1 }),
    mode: "optional",
    wire: "mailto",
    doc: "E-mail addresses, or users with one. They count with `notification_mode` `legacy-sendmail` or `auto` only.",
  },
  mail_notification: {
    type: oneOf(["always", "failure"]),
    mode: "optional",
    wire: "mailnotification",
    doc: "Whether the e-mail to `mailto` is sent after every run or after failures. Left out: `always`.",
  },
} as const;

/** How a run works. */
const work = {
  bandwidth_limit: bandwidthLimit,
  ionice: {
    type: int({ min: 0, max: 8 }),
    mode: "optional",
    wire: "ionice",
    doc: "Priority of reading and writing, 0 (highest) to 7, or 8 for idle time only. Left out: 7.",
  },
  lock_wait: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "lockwait",
    doc: "Minutes to wait for a backup that runs already on the node. Left out: 180.",
  },
  stop_wait: {
    type: int({ min: 0 }),
    mode: "optional",
    wire: "stopwait",
    doc: "Minutes to wait until a guest has stopped. Left out: 10.",
  },
  pigz_threads: threads("pigz", "Threads of pigz instead of gzip; 1 is half of the cores. Left out: gzip is used."),
  zstd_threads: threads("zstd", "Threads of zstd; 0 is half of the cores. Left out: 1."),
  performance: {
    type: nested({
      max_workers: {
        type: int({ min: 1, max: 256 }),
        mode: "optional",
        wire: "performance/max-workers",
        doc: "How many requests a VM's backup has at a time. Left out: 16.",
      },
      pbs_entries_max: {
        type: int({ min: 1 }),
        mode: "optional",
        wire: "performance/pbs-entries-max",
        doc: "How many entries of a container are kept in memory, with a Proxmox Backup Server. Left out: 1048576.",
      },
    }),
    mode: "optional",
    doc: "How much a backup does at a time.",
  },
  fleecing: {
    type: nested({
      enabled: {
        ...flag("fleecing/enabled", "Whether old data of a VM is kept aside while it is backed up."),
        mode: "required",
        isDefaultKey: true,
      },
      storage: {
        type: string(),
        mode: "optional",
        wire: "fleecing/storage",
        refers: "storage",
        doc: "Storage for the data; fast and local is best. Needed if `enabled`.",
      },
    }),
    mode: "optional",
    doc: "So that a slow backup storage does not slow down the VM.",
  },
  pbs_change_detection_mode: {
    type: oneOf(["legacy", "data", "metadata"]),
    mode: "optional",
    wire: "pbs-change-detection-mode",
    doc: "How changes in containers are found, with a Proxmox Backup Server. Left out: `legacy`.",
  },
  exclude_paths: {
    type: list(string({ check: matches(/^(?!0$)\S([^\n]*\S)?$/, "a pattern for paths on one line") }), { min: 1 }),
    mode: "optional",
    wire: "exclude-path",
    repeated: true,
    doc: "Patterns for paths of containers that are left out, such as `/var/cache/*`.",
  },
  standard_excludes: flag(
    "stdexcludes",
    "Whether temporary files and logs of containers are left out. Left out: they are.",
  ),
  script: path("script", "Hook script on the nodes."),
  temporary_directory: path("tmpdir", "Directory on the nodes for temporary files."),
  dump_directory: path("dumpdir", "Directory on the nodes for the backups, instead of `storage`."),
} as const;

/** Everything that a job has; `starttime` and `dow` are an older way to write `schedule`. */
export const jobAttributes = {
  id: {
    type: string({
      check: matches(/^[A-Za-z][\w-]{1,49}$/, "a letter and then letters, digits, `-` or `_`, 50 at most"),
    }),
    mode: "required",
    wire: "id",
    doc: "Name of the job. Another name is another job.",
    replace: true,
  },
  schedule: {
    type: schedule,
    mode: "required",
    wire: "schedule",
    doc: "When it runs, as a calendar event: `21:00` (each day), `mon..fri 22:30`, `sat 03:00`, `*-*-1 02:00` (the first of a month), `*/30` (each half hour), `daily`. In the time zone of the nodes, unless ` UTC` is at the end.",
  },
  ...selection,
  storage: {
    type: string(),
    mode: "optional",
    wire: "storage",
    refers: "storage",
    doc: "Storage for the backups, with content `backup`. Left out: `local`.",
  },
  node: {
    type: string(),
    mode: "optional",
    wire: "node",
    refers: "node",
    doc: "Only guests that are on this node when the job runs. Left out: on any.",
  },
  enabled: {
    ...flag("enabled", "Whether it runs. Left out: a new one does; otherwise it stays as it is."),
    mode: "optional_computed",
    keep: true,
    absent: true,
  },
  comment: {
    type: line(512),
    mode: "optional",
    wire: "comment",
    doc: "A comment: one line.",
  },
  repeat_missed: flag(
    "repeat-missed",
    "Whether a run that was missed while the nodes were off is made up for. Left out: it is not.",
  ),
  mode,
  compression,
  prune: prune("prune-backups", "Which backups of each guest are kept after a run. Left out: as the storage says."),
  remove: flag(
    "remove",
    "Whether backups beyond `prune`, or beyond what the storage keeps, are removed after a run. Left out: they are.",
  ),
  protected: flag("protected", "Whether new backups are protected from being removed. Left out: they are not."),
  notes_template: notesTemplate,
  ...notification,
  ...work,
} as const;
