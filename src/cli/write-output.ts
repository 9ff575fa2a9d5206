import { writeFileSync } from "node:fs";
import { UsageError } from "./run-command.ts";

/** The user may have edited an existing file: it is replaced only where `--force` says so. */
export function writeOutput(file: string, text: string, { force = false, mode = 0o666 } = {}): void {
  try {
    writeFileSync(file, text, { flag: force ? "w" : "wx", mode });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    throw new UsageError(
      code === "EEXIST" ? `'${file}' exists; --force overwrites it.` : `'${file}' cannot be written: ${code}.`,
    );
  }
}
