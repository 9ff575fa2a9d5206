import { writeSync } from "node:fs";

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

export function createLog({ module, level, write = toStderr }: LogOptions): Log {
  const secrets = new Set<string>();
  const enabled = levels.slice(0, levels.indexOf(level) + 1);
  const line =
    (of: Level) =>
    (message: string, fields: object = {}) => {
      if (enabled.includes(of)) write(`${redact(format(module, of, message, fields), secrets)}\n`);
    };
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

/**
 * hclog's JSON form. Two of its traps: a time without exactly six fraction digits makes Terraform show the line raw, and
 * a message that is not a string makes Terraform itself crash.
 */
function format(module: string, level: Level, message: string, fields: object): string {
  const head = {
    "@level": level,
    "@message": String(message),
    "@module": module,
    "@timestamp": new Date().toISOString().replace("Z", "000Z"),
  };
  const line = stringify({ ...fields, ...head });
  return line.length <= longestLine
    ? line
    : stringify({ ...head, "@message": `${head["@message"].slice(0, 1_000)} …` });
}

function stringify(line: object): string {
  return JSON.stringify(line, (name, value: unknown) => {
    if (secretName.test(name)) return "(hidden)";
    if (typeof value === "bigint") return String(value);
    return value instanceof Error ? (value.stack ?? value.message) : value;
  });
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
