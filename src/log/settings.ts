import { type Level, levels } from "./line.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What the user wants to have logged, and where. */
export interface LogSettings {
  readonly level: Level;
  /** Whether the user asked for a log: Terraform hides a provider's lines, so they are then shown without it. */
  readonly isAsked: boolean;
  /** For readable lines; by default they go to the terminal. */
  readonly logPath: string | undefined;
  readonly tracePath: string | undefined;
  /** Whether Terraform shows the lines of providers in its own log. */
  readonly isInTerraformLog: boolean;
  readonly isColourless: boolean;
  /** A given level that is not one. */
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
    isInTerraformLog: Boolean(env["TF_LOG"] || env["TF_LOG_PROVIDER"]),
    isColourless: Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb",
    unknownLevel: level === undefined ? given : undefined,
  };
}
