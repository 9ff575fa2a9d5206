import { bool, int, nested, type Report } from "#framework";

const spans = ["last", "hourly", "daily", "weekly", "monthly", "yearly"] as const;

/** Which backups are kept: PVE's `prune-backups`, of storages and of jobs. */
export function prune(option: string, doc: string) {
  const keep = (span: (typeof spans)[number], of: string) =>
    ({
      type: int({ min: 0 }),
      mode: "optional",
      wire: `${option}/keep-${span}`,
      doc: `How many ${of} are kept.`,
    }) as const;
  return {
    type: nested({
      keep_all: {
        type: bool(),
        mode: "optional",
        wire: `${option}/keep-all`,
        doc: "Whether all are kept; nothing else may be given then.",
      },
      keep_last: keep("last", "of the newest"),
      keep_hourly: keep("hourly", "hours, with the newest of each,"),
      keep_daily: keep("daily", "days, with the newest of each,"),
      keep_weekly: keep("weekly", "weeks, with the newest of each,"),
      keep_monthly: keep("monthly", "months, with the newest of each,"),
      keep_yearly: keep("yearly", "years, with the newest of each,"),
    }),
    mode: "optional",
    doc,
  } as const;
}

type Pruning = Readonly<Record<string, number | boolean | null | undefined>>;

/** PVE turns a retention that keeps nothing into one that keeps all, and refuses all and some together. */
export function validatePrune(given: Pruning | null | undefined, report: Pick<Report, "error">): void {
  if (!given || Object.values(given).includes(undefined)) return;
  const counts = spans.map((span) => given[`keep_${span}`]).filter((count) => count !== null);
  if (given["keep_all"] === true && counts.length > 0) {
    report.error("prune", "All and some", "`keep_all` keeps all backups: give either it or the numbers.");
  }
  if (given["keep_all"] !== true && counts.every((count) => count === 0)) {
    const detail = "Nothing would be kept, which Proxmox VE takes for everything. Give a number, or `keep_all = true`.";
    report.error("prune", "Nothing to keep", detail);
  }
}
