import { join } from "node:path";

/** What starts the stub provider. */
export const stubProcess = [process.execPath, join(import.meta.dirname, "stub-process.ts")];
