/** One line of a trace as `docs/trace-format.md` describes it. */
export interface TraceEvent {
  readonly run: string;
  readonly pid: number;
  /** Wall clock when it began, in Unix milliseconds. */
  readonly at: number;
  /** The same moment on a monotonic clock, in milliseconds. */
  readonly mono: number;
  readonly event: string;
  readonly ms?: number;
  readonly name?: string;
  readonly vmid?: number;
  readonly resource?: string;
  readonly step?: string;
  readonly operation?: string;
  readonly outcome?: string;
  readonly error?: string;
  readonly task?: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly attempt?: number;
}

/** The newest format this program can read. */
const version = 1;

const texts = [
  "name",
  "resource",
  "step",
  "operation",
  "outcome",
  "error",
  "task",
  "method",
  "path",
] as const satisfies readonly (keyof TraceEvent)[];
const numbers = ["ms", "vmid", "status", "attempt"] as const satisfies readonly (keyof TraceEvent)[];

/** Reads one line. Null: it is incomplete, or not an event. Known members must have their type; the rest is dropped. */
export function parseEvent(line: string): TraceEvent | null {
  const value = parseObject(line);
  if (value === null) return null;
  const { v, run, pid, at, mono, event } = value;
  const began = Date.parse(String(at));
  const isEvent =
    v === version &&
    typeof run === "string" &&
    isNumber(pid) &&
    isNumber(mono) &&
    typeof event === "string" &&
    !Number.isNaN(began);
  if (!isEvent) return null;
  return {
    run,
    pid,
    at: began,
    mono,
    event,
    ...pick(value, texts, (given) => typeof given === "string"),
    ...pick(value, numbers, (given) => isNumber(given) && given >= 0),
  };
}

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

function pick(from: Record<string, unknown>, names: readonly string[], fits: (value: unknown) => boolean): object {
  return Object.fromEntries(names.flatMap((name) => (fits(from[name]) ? [[name, from[name]]] : [])));
}

function parseObject(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
