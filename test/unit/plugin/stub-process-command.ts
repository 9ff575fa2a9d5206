import { join } from "node:path";

/** The command that starts the stub provider. */
export const stubProcess = [process.execPath, join(import.meta.dirname, "stub-process.ts")];
