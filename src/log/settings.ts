import { type Level, levels } from "./line.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What a person has asked to be told, and where. */
export interface LogSettings {
  readonly level: Level;
  /** Whether anybody asked: Terraform hides what a provider says, so whoever asks is told past it. */
  readonly isAsked: boolean;
  /** For readable lines; without it they go to the terminal. */
  readonly logPath: string | undefined;
  readonly tracePath: string | undefined;
  readonly isColourless: boolean;
  /** Given as the level, and none. */
  readonly unknownLevel: string | undefined;
}

export function logSettings(env: Environment): LogSettings {
  const given = env["PROXMOX_LOG_LEVEL"] || undefined;
  const logPath = env["PROXMOX_LOG_PATH"] || undefined;
  const level = levels.find((one) => one === given?.trim().toLowerCase());
  return {
    level: level ?? "info",
    isAsked: given !== undefined || logPath !== undefined,
    logPath,
    tracePath: env["PROXMOX_TRACE_PATH"] || undefined,
    isColourless: Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb",
    unknownLevel: level === undefined ? given : undefined,
  };
}
