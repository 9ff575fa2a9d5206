import { whyNotWritable } from "./destinations.ts";
import { levels } from "./line.ts";
import { type LogSettings, logSettings } from "./settings.ts";

/** What a person should know about something they asked for. */
export interface Complaint {
  readonly summary: string;
  readonly detail: string;
}

/** All that is wrong with what the environment asks of the log, for Terraform to show. */
export function logComplaints(env: Readonly<Record<string, string | undefined>>): Complaint[] {
  const settings = logSettings(env);
  const files = { PROXMOX_LOG_PATH: settings.logPath, PROXMOX_TRACE_PATH: settings.tracePath };
  const refused = Object.entries(files).flatMap(([variable, path]) => {
    const code = path === undefined ? undefined : whyNotWritable(path);
    return path === undefined || code === undefined ? [] : [notWritable(variable, path, code)];
  });
  return [...unknownLevel(settings), ...refused];
}

export function unknownLevel({ unknownLevel: given }: LogSettings): Complaint[] {
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
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EROFS: "the file system is read-only",
};

export function notWritable(variable: string, path: string, code: string): Complaint {
  return {
    summary: `${variable} cannot be written`,
    detail: `${path}: ${reasons[code] ?? code}. Nothing is written there in this run; everything else goes on.`,
  };
}
