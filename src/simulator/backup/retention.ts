import type { Parsed } from "../core/schema/property-string.ts";

// `prune_mark_backup_group` of pve-storage `src/PVE/Storage.pm`.

export interface PruneEntry {
  readonly volid: string;
  readonly ctime: number;
  readonly type: string;
  readonly vmid?: number;
  mark?: "keep" | "remove" | "protected" | "renamed";
}

const day = 24 * 3600 * 1000;

/** The ISO 8601 week: the week that contains the Thursday. */
function isoWeek(date: Date): string {
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * day);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return `${thursday.getUTCFullYear()}/${Math.floor((thursday.getTime() - first) / day / 7)}`;
}

/** The key that backups share if they count as one, by kind of retention. */
const periods: readonly [option: string, periodOf: (ctime: number) => string][] = [
  ["keep-last", (ctime) => String(ctime)],
  ["keep-hourly", (ctime) => new Date(ctime * 1000).toISOString().slice(0, 13)],
  ["keep-daily", (ctime) => new Date(ctime * 1000).toISOString().slice(0, 10)],
  ["keep-weekly", (ctime) => isoWeek(new Date(ctime * 1000))],
  ["keep-monthly", (ctime) => new Date(ctime * 1000).toISOString().slice(0, 7)],
  ["keep-yearly", (ctime) => new Date(ctime * 1000).toISOString().slice(0, 4)],
];

function markPeriod(entries: readonly PruneEntry[], count: number, periodOf: (ctime: number) => string): void {
  const kept = new Set(entries.filter(({ mark }) => mark === "keep").map(({ ctime }) => periodOf(ctime)));
  const added = new Set<string>();
  for (const entry of entries) {
    const period = periodOf(entry.ctime);
    if (entry.mark !== undefined || kept.has(period)) {
      continue;
    }
    if (!added.has(period) && added.size >= count) {
      return;
    }
    entry.mark = added.has(period) ? "remove" : "keep";
    added.add(period);
  }
}

/** Marks the backups of one guest; marks that exist already are kept. */
export function markBackups(group: readonly PruneEntry[], keep: Parsed): void {
  const counts = periods.map(([option, periodOf]) => [Number(keep[option] ?? 0), periodOf] as const);
  const keepsAll = keep["keep-all"] === "1" || counts.every(([count]) => count === 0);
  const newestFirst = [...group].sort((a, b) => b.ctime - a.ctime);
  for (const [count, periodOf] of keepsAll ? [] : counts) {
    if (count > 0) {
      markPeriod(newestFirst, count, periodOf);
    }
  }
  for (const entry of newestFirst) {
    entry.mark ??= keepsAll ? "keep" : "remove";
  }
}
