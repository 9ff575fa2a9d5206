import { allOf } from "./fields.ts";
import type { Fields, Reader } from "./reader.ts";

/** How fast a storage was in past tasks. */
export interface MeasuredSpeed {
  readonly storage: string;
  readonly bytesPerSecond: number;
  /** How many tasks it was measured in. */
  readonly tasks: number;
  readonly from: "copies" | "backups";
}

/** What one task shows of a storage. */
type Sample = Readonly<Pick<MeasuredSpeed, "storage" | "bytesPerSecond" | "from">>;

const copies = ["qmclone", "qmmove", "vzclone", "move_volume"];

/** Times of tasks are whole seconds: shorter tasks measure nothing. */
const leastSeconds = 5;
const leastBytes = 2 ** 26;

/** Logs that are read on each node, the newest first. */
const mostLogs = 20;

/** Speeds of storages, from the logs of clones, moves and backups that have ended well: reading is all it takes. */
export async function measureSpeeds(reader: Reader, nodes: readonly string[]): Promise<MeasuredSpeed[]> {
  const samples = await allOf(nodes, async (node) => {
    const tasks = await reader.perhapsList("/nodes/{node}/tasks", { node, limit: 500, statusfilter: "ok" });
    const wanted = tasks.filter((task) => isTelling(task)).slice(0, mostLogs);
    return allOf(wanted, async (task) => {
      const given = { node, upid: String(task["upid"]), limit: 5000 };
      const lines = await reader.perhapsList("/nodes/{node}/tasks/{upid}/log", given);
      return samplesIn(
        String(task["type"]),
        secondsOf(task),
        lines.map(({ t }) => String(t)),
      );
    });
  });
  const known = Map.groupBy(samples.flat(2), ({ storage }) => storage);
  return [...known].map(([storage, all]) => summary(storage, all)).sort((a, b) => (a.storage < b.storage ? -1 : 1));
}

const secondsOf = ({ starttime, endtime }: Fields): number => Number(endtime ?? 0) - Number(starttime ?? 0);

const isTelling = (task: Fields): boolean =>
  task["type"] === "vzdump" || (copies.includes(String(task["type"])) && secondsOf(task) >= leastSeconds);

/** Backups are read, compressed and written: a copy says more about the storage. */
function summary(storage: string, samples: readonly Sample[]): MeasuredSpeed {
  const from = samples.some((one) => one.from === "copies") ? "copies" : "backups";
  const speeds = samples.filter((one) => one.from === from).map((one) => one.bytesPerSecond);
  speeds.sort((a, b) => a - b);
  const median = speeds[Math.floor(speeds.length / 2)] ?? 0;
  return { storage, bytesPerSecond: Math.round(median), tasks: speeds.length, from };
}

/** What the log of a task shows of storages. */
export function samplesIn(type: string, seconds: number, log: readonly string[]): Sample[] {
  return type === "vzdump" ? backupSamples(log) : copySamples(seconds, log);
}

/** Each drive says where it is copied from, then how much of it is. */
function copySamples(seconds: number, log: readonly string[]): Sample[] {
  const sizes: { storage: string; bytes: number }[] = [];
  for (const line of log) {
    const [, storage] = /^create full clone of (?:drive|mountpoint) \S+ \(([^:\s]+):/.exec(line) ?? [];
    if (storage !== undefined) sizes.push({ storage, bytes: 0 });
    const [, whole] = /\btransferred .* of ([\d.]+ \w+) \(100\.00%\)/.exec(line) ?? [];
    const [, files] = /^Total transferred file size: ([\d,.]+) bytes/.exec(line) ?? [];
    const current = sizes.at(-1);
    if (current !== undefined && whole !== undefined) current.bytes = bytesOf(whole);
    if (current !== undefined && files !== undefined) current.bytes = Number(files.replaceAll(/[,.]/g, ""));
  }
  const copied = sizes.filter(({ bytes }) => bytes > 0);
  const total = copied.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total < leastBytes || seconds < leastSeconds) return [];
  const storages = [...new Set(copied.map(({ storage }) => storage))];
  return storages.map((storage) => ({ storage, bytesPerSecond: total / seconds, from: "copies" }));
}

/** The job names its storage; each guest says how much was read in which time. */
function backupSamples(log: readonly string[]): Sample[] {
  const [, storage] = /^INFO: starting new backup job: .* --storage '?([^\s']+)/m.exec(log.join("\n")) ?? [];
  if (storage === undefined) return [];
  return log.flatMap((line): Sample[] => {
    const [, size, seconds] = /^INFO: transferred ([\d.]+ \w+) in (\d+) seconds/.exec(line) ?? [];
    if (size === undefined || Number(seconds) < leastSeconds || bytesOf(size) < leastBytes) return [];
    return [{ storage, bytesPerSecond: bytesOf(size) / Number(seconds), from: "backups" }];
  });
}

const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];

/** `2.0 GiB` */
function bytesOf(text: string): number {
  const [number, unit = "B"] = text.split(" ");
  return Number(number) * 1024 ** Math.max(0, units.indexOf(unit));
}
