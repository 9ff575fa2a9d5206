import { bpg, type LegacyState, onlyIf } from "#kit";
import { compressionCode } from "./options.ts";

const spans = ["last", "hourly", "daily", "weekly", "monthly", "yearly"];

/** They keep the retention as a map of texts. */
const kept = (span: string) => (old: LegacyState) => {
  const count = old.block("prune_backups").text(`keep-${span}`);
  return count === undefined ? undefined : Number(count);
};

const compressionOf = (old: LegacyState) => {
  const code = old.text("compress");
  return code === undefined ? undefined : compressionCode.parse(code);
};

export const jobsMovedFrom = bpg("backup_job", {
  id: "id",
  schedule: "schedule",
  all: onlyIf(true, "all"),
  vmids: (old) => old.words("vmid")?.map(Number),
  pool: "pool",
  storage: "storage",
  node: "node",
  enabled: "enabled",
  repeat_missed: "repeat_missed",
  mode: "mode",
  compression: compressionOf,
  ...Object.fromEntries(spans.map((span) => [`prune.keep_${span}`, kept(span)])),
  remove: "remove",
  protected: "protected",
  notes_template: "notes_template",
  mailto: "mailto",
  mail_notification: "mailnotification",
  bandwidth_limit: "bwlimit",
  ionice: "ionice",
  lock_wait: "lockwait",
  stop_wait: "stopwait",
  pigz_threads: "pigz",
  zstd_threads: "zstd",
  "performance.max_workers": "performance.max_workers",
  "performance.pbs_entries_max": "performance.pbs_entries_max",
  "fleecing.enabled": "fleecing.enabled",
  "fleecing.storage": "fleecing.storage",
  pbs_change_detection_mode: "pbs_change_detection_mode",
  exclude_paths: "exclude_path",
  standard_excludes: "stdexcludes",
  script: "script",
  temporary_directory: "tmpdir",
});
