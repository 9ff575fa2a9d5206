import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { eventually } from "../../test/terraform/processes.ts";

/** What a process has done when its figures are taken. */
interface Progress {
  readonly operations: number;
  /** How many kinds of objects have been led through their lives at least once. */
  readonly kinds: number;
}

/** Figures of a process that are visible from outside. */
export interface Vitals extends Progress {
  readonly rssMb: number;
  /** Referenced memory, without garbage. */
  readonly heapMb: number;
  readonly sockets: number;
  readonly timers: number;
  readonly handles: number;
}

interface Report {
  readonly javascriptHeap: { readonly usedMemory: number };
  readonly libuv: readonly { readonly type: string; readonly is_active: boolean }[];
}

/** Options with which Node writes a report on a signal, without support from the provider. */
export const reporting = (folder: string): string[] => [
  "--expose-gc",
  "--import",
  pathToFileURL(join(import.meta.dirname, "report-on-signal.ts")).href,
  "--report-compact",
  `--report-directory=${folder}`,
];

/** Without a folder for reports, only what the kernel knows of the process. */
export async function takeVitals(pid: number, folder: string | null, progress: Progress): Promise<Vitals> {
  const inside = folder === null ? { heapMb: 0, timers: 0, handles: 0 } : await reportOf(pid, folder);
  return { ...progress, rssMb: rss(pid), sockets: socketsOf(pid), ...inside };
}

async function reportOf(pid: number, folder: string): Promise<Pick<Vitals, "heapMb" | "timers" | "handles">> {
  const before = readdirSync(folder).length;
  process.kill(pid, "SIGUSR2");
  await eventually("the process reports on itself", () => readdirSync(folder).length > before, 60_000);
  const name = readdirSync(folder).sort().at(-1) ?? "";
  await eventually("the report is complete", () => tryRead(join(folder, name)) !== undefined, 60_000);
  const { javascriptHeap, libuv } = tryRead(join(folder, name)) ?? { javascriptHeap: { usedMemory: 0 }, libuv: [] };
  const active = libuv.filter(({ is_active: isActive }) => isActive);
  return {
    heapMb: javascriptHeap.usedMemory / 2 ** 20,
    timers: active.filter(({ type }) => type === "timer").length,
    handles: active.length,
  };
}

function tryRead(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch {
    return undefined; // still being written
  }
}

const rss = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    return false; // closed since
  }
}

/**
 * The samples that show whether memory grows. The modules of a kind are loaded when it is first used, and stay, so memory grows
 * until each kind was used once; before a fifth of the run, caches fill and the compiler warms up.
 */
export const settled = (samples: readonly Vitals[], allKinds: number): Vitals[] =>
  samples.slice(Math.ceil(samples.length / 5)).filter(({ kinds }) => kinds >= allKinds);

/** The growth of a figure per thousand operations: the slope of the best straight line through its samples. */
export function growth(samples: readonly Vitals[], figure: "rssMb" | "heapMb"): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [samples.map(({ operations }) => operations), samples.map((sample) => sample[figure])];
  const [mx, my] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, index) => sum + (value - mx) * ((y[index] ?? 0) - my), 0);
  const below = x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
  return below === 0 ? 0 : (above / below) * 1_000;
}
