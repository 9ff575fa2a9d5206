import { plainLine } from "../text/plain-text.ts";
import type { Destination } from "./destinations.ts";
import { duration, isWithin, type Level, type Line, type Sink, subjectOf } from "./line.ts";

interface ReadableOptions {
  readonly level: Level;
  readonly write: Destination;
  readonly isColoured: boolean;
  /** Default: the clock. */
  readonly now?: () => Date;
}

const colours: Readonly<Record<Level, string>> = { error: "31", warn: "33", info: "36", debug: "2" };

const widths = { subject: 16, longestSubject: 32, step: 10, elapsed: 9 };

/** Fields that have a column, or are part of the text. */
const placed = new Set(
  "resource label vmid step task duration_ms event outcome operation what method path template endpoint status steps".split(
    " ",
  ),
);

/** Lines for users: time, level, subject, step, duration, message, task. */
export function readableSink({ level: limit, write, isColoured, now = () => new Date() }: ReadableOptions): Sink {
  const paint = (code: string, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  let subjectWidth = widths.subject;
  return {
    takes: (level) => isWithin(level, limit),
    write(line, redact) {
      const { level, fields } = line;
      const subject = shorten(plainLine(redact(subjectOf(fields) ?? "-")));
      subjectWidth = Math.max(subjectWidth, subject.length);
      const { step, operation, duration_ms, task } = fields;
      const columns = [
        paint("2", clock(now())),
        paint(colours[level], level.toUpperCase().padEnd(5)),
        paint("1", subject.padEnd(subjectWidth)),
        plainLine(String(step ?? operation ?? "")).padEnd(widths.step),
        (typeof duration_ms === "number" ? duration(duration_ms) : "").padStart(widths.elapsed),
        ` ${plainLine(redact(textOf(line)))}`,
        ...(task === undefined ? [] : [` ${paint("2", plainLine(redact(String(task))))}`]),
      ];
      write(`${columns.join(" ").trimEnd()}\n`);
    },
  };
}

function clock(time: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  const [hours, minutes, seconds] = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two);
  return `${hours}:${minutes}:${seconds}.${String(time.getMilliseconds()).padStart(3, "0")}`;
}

const shorten = (text: string): string =>
  text.length <= widths.longestSubject ? text : `${text.slice(0, widths.longestSubject - 1)}…`;

/** The message with additions from its fields. */
function textOf({ message, fields }: Line): string {
  const { event, method, path, status, what, steps } = fields;
  const text = event === "call" ? `${method} ${path}${status === undefined ? "" : `: ${status}`}` : message;
  const subject = what === undefined ? "" : `: ${what}`;
  const outcome = event === "task" && status !== undefined ? `: ${status}` : "";
  const rest = Object.entries(fields).flatMap(([name, value]) => (placed.has(name) ? [] : [` ${named(name, value)}`]));
  return `${text}${subject}${outcome}${accounts(steps)}${rest.join("")}`;
}

/** ` (clone 12.1 s, config 184 ms)` */
function accounts(steps: unknown): string {
  if (typeof steps !== "object" || steps === null) return "";
  return ` (${Object.entries(steps)
    .map(([step, ms]) => `${step} ${duration(Number(ms))}`)
    .join(", ")})`;
}

function named(name: string, value: unknown): string {
  if (name.endsWith("_ms") && typeof value === "number") return `${name.slice(0, -3)}=${duration(value)}`;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return `${name}=${/[\s"=]/.test(text) && typeof value === "string" ? JSON.stringify(text) : text}`;
}
