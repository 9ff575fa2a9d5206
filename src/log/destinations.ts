import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";

/** Takes whole lines, each in one write, so that processes that share a destination do not break each other's. */
export type Destination = (line: string) => void;

/** Only the owner may read it: lines tell names and addresses. Throws if it cannot be opened. */
export function openFile(path: string): Destination {
  const file = openSync(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
  // Somebody may have been killed in the middle of a line; ours is not to be lost with it.
  if (endsWithin(file)) writeSync(file, "\n");
  return lenient(file);
}

/** Why that cannot be: the code of the system's refusal. Undefined: it can. */
export function whyNotWritable(path: string): string | undefined {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT, 0o600));
    return undefined;
  } catch (reason) {
    return codeOf(reason);
  }
}

export const codeOf = (reason: unknown): string => (reason as NodeJS.ErrnoException).code ?? String(reason);

/** The terminal Terraform runs in, which is ours too. Undefined: there is none, as in a pipeline. */
export function openTerminal(platform: NodeJS.Platform = process.platform): Destination | undefined {
  const name = platform === "win32" ? "\\\\.\\CONOUT$" : "/dev/tty";
  try {
    // Neither created nor made the controlling terminal of a process that has none.
    return lenient(openSync(name, constants.O_WRONLY | (constants.O_NOCTTY ?? 0)));
  } catch {
    return undefined;
  }
}

/** A full disk or a terminal that was closed must not take the provider down. */
function lenient(file: number): Destination {
  return (line) => {
    try {
      writeSync(file, line);
    } catch {
      // Nobody is left to be told.
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
