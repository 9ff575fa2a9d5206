import { createLog, type Log } from "../log.ts";
import { codeOf, type Destination, hasTerminal, openFile, openTerminal } from "./destinations.ts";
import type { Sink } from "./line.ts";
import { noReader, notWritable, type SettingProblem, unknownLevel } from "./setting-problems.ts";
import { type LogSettings, logSettings } from "./settings.ts";

interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** The log as the environment specifies it. Its first lines report what is not possible; the run continues. */
export async function openLog({ env, version }: Surroundings): Promise<Log> {
  const settings = logSettings(env);
  const problems: SettingProblem[] = [...unknownLevel(settings), ...noReader(settings, hasTerminal())];
  const open = (variable: string, path: string): Destination | undefined => {
    try {
      return openFile(path);
    } catch (reason) {
      problems.push(notWritable(variable, path, codeOf(reason)));
      return undefined;
    }
  };
  const sinks = [...(await readable(settings, open)), ...(await trace(settings, version, open))];
  const log = createLog({ module: "provider.proxmox", level: settings.level, sinks });
  for (const { summary, detail } of problems) log.warn(`${summary}: ${detail}`);
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
