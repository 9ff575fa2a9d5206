import { writeSync } from "node:fs";
import { pino } from "pino";
import { type Level, levels, type Sink, sentence } from "./log/line.ts";
import { presentable, Redaction } from "./log/redaction.ts";
import { plainLine, plainLines } from "./text/plain-text.ts";

export type { Level };

/** Lines that Terraform shows at their level when TF_LOG is set; it reads them from the provider's stderr. */
export type Log = { readonly [L in Level]: (message: string, fields?: object) => void } & {
  /** Hides a value in every line from now on. */
  hide(secret: string): void;
};

export interface LogOptions {
  /** The name of the source: `provider.` and the name of the provider. */
  module: string;
  level: Level;
  /** Default: stderr. */
  write?: (line: string) => void;
  /** Additional destinations. */
  sinks?: readonly Sink[];
}

/** Terraform does not parse longer lines, and shows them raw. */
const longestLine = 60_000;

/**
 * hclog's JSON format, written by pino. The format has two traps: a time without exactly six fraction digits makes
 * Terraform show the line raw, and a message that is not a string makes Terraform itself crash.
 */
export function createLog({ module, level, write = toStderr, sinks = [] }: LogOptions): Log {
  const redaction = new Redaction();
  const logger = pino(
    {
      level,
      messageKey: "@message",
      base: { "@module": module },
      timestamp: () => `,"@timestamp":"${new Date().toISOString().replace("Z", "000Z")}"`,
      formatters: { level: (label) => ({ "@level": label }) },
    },
    { write: (line) => write(redaction.apply(cut(line))) },
  );
  // Terraform decodes the line and prints its texts as they are.
  const plain = (fields: object): object =>
    JSON.parse(
      JSON.stringify(fields, (_, value: unknown) =>
        typeof value === "string" ? plainLines(redaction.apply(value)) : value,
      ),
    );
  const line = (of: Level) => {
    const others = sinks.filter((sink) => sink.takes(of));
    const isShown = logger.isLevelEnabled(of);
    return (message: string, given: object = {}) => {
      if (!isShown && others.length === 0) return;
      const said = { level: of, message: String(message), fields: presentable(given) };
      const { event: _, ...fields } = said.fields;
      if (isShown) logger[of](plain(fields), plainLine(redaction.apply(sentence(said))));
      for (const sink of others) sink.write(said, redaction.apply);
    };
  };
  return {
    error: line("error"),
    warn: line("warn"),
    info: line("info"),
    debug: line("debug"),
    hide: (secret) => redaction.hide(secret),
  };
}

/** The level that the user chose; anything but a level means `info`. */
export function levelFrom(text: string | undefined): Level {
  return levels.find((level) => level === text?.toLowerCase()) ?? "info";
}

function cut(line: string): string {
  if (line.length <= longestLine) return line;
  const head = Object.entries(JSON.parse(line) as Record<string, string>).filter(([name]) => name.startsWith("@"));
  const short = Object.fromEntries(head);
  return `${JSON.stringify({ ...short, "@message": `${short["@message"]?.slice(0, 1_000)} …` })}\n`;
}

/** The reader of stderr may be gone or slow; that must never stop the provider. */
function toStderr(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // There is no reader left to inform.
  }
}
