import { die } from "../core/kernel/failure.ts";
import { calendarEventFormat } from "../core/schema/calendar-event.ts";
import { listOf, namedFormat } from "../core/schema/format.ts";
import { emailOrUsernameListFormat, nodeFormat, storageIdFormat, vmidListFormat } from "../core/schema/formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { array, boolean, integer, optional, string } from "../core/schema/schema.ts";
import { pruneBackupsFormat } from "../storage/formats.ts";

// Options of backup jobs: pve-guest-common `src/PVE/VZDump/Common.pm`.

export const allDays = "mon,tue,wed,thu,fri,sat,sun";

const dayFormat = namedFormat("pve-day-of-week", (value) => {
  if (!allDays.split(",").includes(value)) {
    die(`invalid day '${value}'`);
  }
});

export const performanceFormat = propertyFormat(
  {
    "max-workers": integer({ optional: true, minimum: 1, maximum: 256, default: 16 }),
    "pbs-entries-max": integer({ optional: true, minimum: 1, default: 1048576 }),
  },
  { name: "backup-performance" },
);

export const fleecingFormat = propertyFormat(
  {
    enabled: boolean({ optional: true, default_key: true, default: 0 }),
    storage: string({ optional: true, format: storageIdFormat }),
  },
  { name: "backup-fleecing" },
);

const text = string({ optional: true });
const off = boolean({ optional: true, default: 0 });
const on = boolean({ optional: true, default: 1 });

export const backupJobId = string({ pattern: "\\S+", maxLength: 50 });

export const backupOptions = {
  all: off,
  bwlimit: integer({ optional: true, minimum: 0, default: 0 }),
  comment: string({ optional: true, maxLength: 512 }),
  compress: string({ optional: true, enum: ["0", "1", "gzip", "lzo", "zstd"], default: "0" }),
  dow: string({ optional: true, format: listOf(dayFormat), requires: "starttime" }),
  dumpdir: text,
  enabled: boolean({ optional: true, default: "1" }),
  exclude: string({ optional: true, format: vmidListFormat }),
  "exclude-path": optional(array(string())),
  fleecing: string({ optional: true, format: fleecingFormat }),
  ionice: integer({ optional: true, minimum: 0, maximum: 8, default: 7 }),
  lockwait: integer({ optional: true, minimum: 0, default: 180 }),
  mailnotification: string({ optional: true, enum: ["always", "failure"], default: "always" }),
  mailto: string({ optional: true, format: emailOrUsernameListFormat }),
  mode: string({ optional: true, enum: ["snapshot", "suspend", "stop"], default: "snapshot" }),
  node: string({ optional: true, format: nodeFormat }),
  "notes-template": string({ optional: true, maxLength: 1024, requires: "storage" }),
  "notification-mode": string({
    optional: true,
    enum: ["auto", "legacy-sendmail", "notification-system"],
    default: "auto",
  }),
  "pbs-change-detection-mode": string({ optional: true, enum: ["legacy", "data", "metadata"] }),
  performance: string({ optional: true, format: performanceFormat }),
  pigz: integer({ optional: true, default: 0 }),
  pool: text,
  protected: boolean({ optional: true, requires: "storage" }),
  "prune-backups": string({ optional: true, format: pruneBackupsFormat, default: "keep-all=1" }),
  quiet: off,
  remove: on,
  "repeat-missed": off,
  schedule: string({ optional: true, format: calendarEventFormat, maxLength: 128 }),
  script: text,
  starttime: string({ optional: true, pattern: "\\d{1,2}:\\d{1,2}" }),
  stdexcludes: on,
  stop: off,
  stopwait: integer({ optional: true, minimum: 0, default: 10 }),
  storage: string({ optional: true, format: storageIdFormat }),
  tmpdir: text,
  vmid: string({ optional: true, format: vmidListFormat }),
  zstd: integer({ optional: true, default: 1 }),
};

const {
  comment: _comment,
  dow: _dow,
  enabled: _enabled,
  "repeat-missed": _repeatMissed,
  schedule: _schedule,
  starttime: _starttime,
  ...common
} = backupOptions;

/** The options of a single backup: all except those about the schedule of a job. */
export const vzdumpOptions = common;
