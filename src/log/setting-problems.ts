import { hasTerminal, whyNotWritable } from "./destinations.ts";
import { levels } from "./line.ts";
import { type LogSettings, logSettings } from "./settings.ts";

/** What the user should know about a log setting. */
export interface SettingProblem {
  readonly summary: string;
  readonly detail: string;
}

/** All problems of the log settings in the environment, for Terraform to show. */
export function logSettingProblems(
  env: Readonly<Record<string, string | undefined>>,
  isInTerminal = hasTerminal(),
): SettingProblem[] {
  const settings = logSettings(env);
  const files = { PROXMOX_LOG_PATH: settings.logPath, PROXMOX_TRACE_PATH: settings.tracePath };
  const refused = Object.entries(files).flatMap(([variable, path]) => {
    const code = path === undefined ? undefined : whyNotWritable(path);
    return path === undefined || code === undefined ? [] : [notWritable(variable, path, code)];
  });
  return [...unknownLevel(settings), ...refused, ...noReader(settings, isInTerminal)];
}

/** A log that was asked for, where neither a terminal nor a file nor Terraform's own log shows it. */
export function noReader({ isAsked, logPath, isInTerraformLog }: LogSettings, isInTerminal: boolean): SettingProblem[] {
  if (!isAsked || logPath !== undefined || isInTerraformLog || isInTerminal) return [];
  return [
    {
      summary: "The log has no destination",
      detail:
        "PROXMOX_LOG_LEVEL is set, and the lines would go to the terminal, but this run has none, as in a pipeline. Set PROXMOX_LOG_PATH to a file; with TF_LOG=INFO they are part of Terraform's log.",
    },
  ];
}

export function unknownLevel({ unknownLevel: given }: LogSettings): SettingProblem[] {
  if (given === undefined) return [];
  const allowed = levels.join(", ");
  return [
    {
      summary: "Unknown log level",
      detail: `PROXMOX_LOG_LEVEL is ${JSON.stringify(given)}. It can be one of ${allowed}; this run uses info.`,
    },
  ];
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EISDIR: "it is a folder",
  ENOENT: "the folder does not exist",
  ENOTDIR: "the folder does not exist",
  EROFS: "the file system is read-only",
};

export function notWritable(variable: string, path: string, code: string): SettingProblem {
  return {
    summary: `${variable} cannot be written`,
    detail: `${path}: ${reasons[code] ?? code}. Nothing is written there in this run, which continues otherwise.`,
  };
}
