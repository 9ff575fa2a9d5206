import { readFileSync } from "node:fs";
import { plainText } from "../text/plain-text.ts";
import type { Destination } from "./destinations.ts";
import { type Line, type Sink, subjectOf } from "./line.ts";

/** Raised when older files can no longer be read. */
export const traceVersion = 1;

interface TraceOptions {
  readonly write: Destination;
  /** The provider's version. */
  readonly version: string;
  /** Default: the run of Terraform to which this process belongs. */
  readonly run?: string;
}

/** Fields that an event keeps as they are. */
const kept = [
  "resource",
  "vmid",
  "step",
  "operation",
  "task",
  "outcome",
  "error",
  "method",
  "attempt",
  "polls",
] as const;

/**
 * Writes the lines that mark an event as data, one JSON object each, at every log level: when it began (wall clock and
 * monotonic), its duration, its subject and its result. `docs/trace-format.md` describes the fields.
 */
export function traceSink({ write, version, run = runOfParent() }: TraceOptions): Sink {
  const head = { v: traceVersion, run, pid: process.pid };
  const stamp = (agoMs: number) => ({
    at: new Date(Date.now() - agoMs).toISOString(),
    mono: round(Number(process.hrtime.bigint()) / 1e6 - agoMs),
  });
  write(`${JSON.stringify({ ...head, ...stamp(0), event: "process", version })}\n`);
  return {
    takes: () => true,
    write({ fields }, redact) {
      const { event, duration_ms, wait_ms } = fields;
      if (typeof event !== "string") return;
      // A wait is logged before it begins, everything else after it has ended.
      const passed = typeof duration_ms === "number" ? duration_ms : 0;
      const ms = typeof wait_ms === "number" ? wait_ms : duration_ms;
      const record = { ...head, ...stamp(passed), event, ...(ms === undefined ? {} : { ms }), ...about(fields) };
      write(`${plainText(redact(JSON.stringify(record)))}\n`);
    },
  };
}

function about(fields: Line["fields"]): Record<string, unknown> {
  const { template, status, event } = fields;
  return {
    name: subjectOf(fields),
    ...Object.fromEntries(kept.map((name) => [name, fields[name]])),
    path: template,
    [event === "task" ? "exit" : "status"]: status,
  };
}

const round = (ms: number): number => Math.round(ms * 1_000) / 1_000;

/**
 * One run of Terraform starts several processes of a provider. They have the same parent; its id alone is not enough
 * where ids are reused, as in containers, so its start time is added where the system provides it.
 */
function runOfParent(): string {
  try {
    const stat = readFileSync(`/proc/${process.ppid}/stat`, "utf8");
    // proc(5): the name is in parentheses and may contain anything; the start time is the 20th field after it.
    const began = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
    return `${process.ppid}-${boot}-${began}`;
  } catch {
    return String(process.ppid);
  }
}
