import { writeSync } from "node:fs";
import { pino } from "pino";

const levels = ["error", "warn", "info", "debug"] as const;

export type Level = (typeof levels)[number];

/** Lines for Terraform to show at their level when TF_LOG is set; it reads them from our stderr. */
export type Log = { readonly [L in Level]: (message: string, fields?: object) => void } & {
  /** Leaves a value out of every line from now on. */
  hide(secret: string): void;
};

export interface LogOptions {
  /** Who speaks: `provider.proxmox`. */
  module: string;
  level: Level;
  /** Default: stderr. */
  write?: (line: string) => void;
}

/** Terraform does not parse longer lines, and shows them raw. */
const longestLine = 60_000;

/** Shorter values are part of too many words to be hidden. */
const shortestSecret = 4;

/** Fields whose values are secret whatever they are. A token's id and public SSH keys are not. */
const secretName =
  /^(?:.*pass(?:word|phrase)|.*secret|.*private[-_]?key|.*ticket|csrf.*token|api[-_]?token|token|otp|authorization|cookie)$/i;

/** Secrets by their shape: the value behind an API token's id, a ticket, a CSRF token. */
const secretShapes: readonly [RegExp, string][] = [
  [/(@[\w.-]{1,64}![\w.-]{1,64}=)[^\s"\\,;]+/g, "$1(hidden)"],
  [/PVE:[^\s:"]{1,128}:[0-9A-F]{8}::[\w+/=]+/g, "(hidden)"],
  [/\b[0-9A-F]{8}:[\w+/]{27,}=*/g, "(hidden)"],
];

/**
 * hclog's JSON form by pino. Two of the form's traps: a time without exactly six fraction digits makes Terraform show the
 * line raw, and a message that is not a string makes Terraform itself crash.
 */
export function createLog({ module, level, write = toStderr }: LogOptions): Log {
  const secrets = new Set<string>();
  const logger = pino(
    {
      level,
      messageKey: "@message",
      base: { "@module": module },
      timestamp: () => `,"@timestamp":"${new Date().toISOString().replace("Z", "000Z")}"`,
      formatters: { level: (label) => ({ "@level": label }), log: presentable },
    },
    { write: (line) => write(redact(cut(line), secrets)) },
  );
  const line =
    (of: Level) =>
    (message: string, fields: object = {}) =>
      logger[of](fields, String(message));
  return {
    error: line("error"),
    warn: line("warn"),
    info: line("info"),
    debug: line("debug"),
    hide(secret) {
      if (secret.length < shortestSecret) return;
      // As it looks inside a JSON string, and inside a cookie.
      secrets.add(JSON.stringify(secret).slice(1, -1)).add(encodeURIComponent(secret));
    },
  };
}

/** The level a person has asked for; anything else than a level means `info`. */
export function levelFrom(text: string | undefined): Level {
  return levels.find((level) => level === text?.toLowerCase()) ?? "info";
}

/** Fields as JSON can hold them, without secrets, and without names that belong to the line itself. */
function presentable(fields: object): Record<string, unknown> {
  const own = Object.entries(fields).filter(([name]) => !name.startsWith("@"));
  const text = JSON.stringify(Object.fromEntries(own), (name, value: unknown) => {
    if (secretName.test(name)) return "(hidden)";
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? (value.stack ?? value.message) : value;
  });
  return JSON.parse(text) as Record<string, unknown>;
}

function cut(line: string): string {
  if (line.length <= longestLine) return line;
  const head = Object.entries(JSON.parse(line) as Record<string, string>).filter(([name]) => name.startsWith("@"));
  const short = Object.fromEntries(head);
  return `${JSON.stringify({ ...short, "@message": `${short["@message"]?.slice(0, 1_000)} …` })}\n`;
}

function redact(line: string, secrets: ReadonlySet<string>): string {
  const known = [...secrets].reduce((text, secret) => text.replaceAll(secret, "(hidden)"), line);
  return secretShapes.reduce((text, [shape, instead]) => text.replace(shape, instead), known);
}

/** Whoever read our stderr may be gone or slow; that must never take the provider down. */
function toStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Nobody is left to be told.
  }
}
