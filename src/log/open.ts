import { createLog, type Log } from "../log.ts";
import { type Complaint, notWritable, unknownLevel } from "./complaints.ts";
import { codeOf, type Destination, openFile, openTerminal } from "./destinations.ts";
import type { Sink } from "./line.ts";
import { type LogSettings, logSettings } from "./settings.ts";

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** The log as the environment asks for it. What cannot be had is said in its first lines and does no harm. */
export async function openLog({ env, version }: Surroundings): Promise<Log> {
  const settings = logSettings(env);
  const complaints: Complaint[] = unknownLevel(settings);
  const open = (variable: string, path: string): Destination | undefined => {
    try {
      return openFile(path);
    } catch (reason) {
      complaints.push(notWritable(variable, path, codeOf(reason)));
      return undefined;
    }
  };
  const sinks = [...(await readable(settings, open)), ...(await trace(settings, version, open))];
  const log = createLog({ module: "provider.proxmox", level: settings.level, sinks });
  for (const { summary, detail } of complaints) log.warn(`${summary}: ${detail}`);
  return log;
}

type Open = (variable: string, path: string) => Destination | undefined;

async function readable(settings: LogSettings, open: Open): Promise<Sink[]> {
  const { isAsked, logPath, level, isColourless } = settings;
  if (!isAsked) return [];
  const write = logPath === undefined ? openTerminal() : open("PROXMOX_LOG_PATH", logPath);
  if (write === undefined) return [];
  const { readableSink } = await import("./readable.ts");
  return [readableSink({ level, write, isColoured: logPath === undefined && !isColourless })];
}

async function trace({ tracePath }: LogSettings, version: string, open: Open): Promise<Sink[]> {
  const write = tracePath === undefined ? undefined : open("PROXMOX_TRACE_PATH", tracePath);
  if (write === undefined) return [];
  const { traceSink } = await import("./trace.ts");
  return [traceSink({ write, version })];
}
