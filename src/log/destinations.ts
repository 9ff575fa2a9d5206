import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** Writes each line in one call, so that processes that share a destination do not break each other's lines. */
export type Destination = (line: string) => void;

/** Readable by the owner only: lines contain names and addresses. Throws if the file cannot be opened. */
export function openFile(path: string): Destination {
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  // Another process may have been killed in the middle of a line; the next line must not be lost with it.
  if (endsWithin(file)) writeSync(file, "\n");
  return lenient(file);
}

/** The system's error code if the file cannot be written; undefined if it can. */
export function whyNotWritable(path: string): string | undefined {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600));
    return undefined;
  } catch (reason) {
    return codeOf(reason);
  }
}

export const codeOf = (reason: unknown): string => (reason as NodeJS.ErrnoException).code ?? String(reason);

/** The terminal in which Terraform runs. Undefined: there is none, as in a pipeline. */
export function openTerminal(platform: NodeJS.Platform = process.platform): Destination | undefined {
  const file = terminalFile(platform);
  return file === undefined ? undefined : lenient(file);
}

export function hasTerminal(): boolean {
  const file = terminalFile(process.platform);
  if (file !== undefined) closeSync(file);
  return file !== undefined;
}

function terminalFile(platform: NodeJS.Platform): number | undefined {
  const name = platform === "win32" ? "\\\\.\\CONOUT$" : "/dev/tty";
  try {
    // Neither created nor made the controlling terminal of a process that has none.
    return openSync(name, constants.O_WRONLY | (constants.O_NOCTTY ?? 0));
  } catch {
    return undefined;
  }
}

/** A full disk or a closed terminal must not stop the provider. */
function lenient(file: number): Destination {
  return (line) => {
    try {
      writeSync(file, line);
    } catch {
      // There is no reader left to inform.
    }
  };
}

function endsWithin(file: number): boolean {
  const stat = fstatSync(file);
  if (!stat.isFile() || stat.size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, stat.size - 1);
  return last.toString() !== "\n";
}
