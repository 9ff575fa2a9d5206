export const levels = ["error", "warn", "info", "debug"] as const;

export type Level = (typeof levels)[number];

/** One call of the log, before it gets the format of a destination. */
export interface Line {
  readonly level: Level;
  readonly message: string;
  /** In types that JSON can represent, without fields whose names mark them as secret. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A further destination of the lines, besides Terraform. */
export interface Sink {
  takes(level: Level): boolean;
  /** `redact` must be applied to every text before it leaves the process. */
  write(line: Line, redact: (text: string) => string): void;
}

export const isWithin = (level: Level, limit: Level): boolean => levels.indexOf(level) <= levels.indexOf(limit);

/** The subject of a line: a VM's plain name, anything else as its resource calls it. */
export function subjectOf({ label }: Line["fields"]): string | undefined {
  return typeof label === "string" ? label.replace(/^VM "(.*)"$/s, "$1") : undefined;
}

/** `12.1 s`, `2 min 5 s`, `84 ms`. */
export function duration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The message for readers that see only messages: `web-1: cloned from 9000 in 12.1 s (UPID:…)`. */
export function sentence({ message, fields }: Line): string {
  const subject = subjectOf(fields);
  const { event, duration_ms, task } = fields;
  const isEnd = (event === "step" || event === "operation") && typeof duration_ms === "number";
  const end = isEnd ? ` in ${duration(duration_ms)}${task === undefined ? "" : ` (${task})`}` : "";
  return `${subject === undefined ? "" : `${subject}: `}${message}${end}`;
}
