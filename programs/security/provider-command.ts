import { join } from "node:path";

/** What is attacked: the executable in `OUR_PROVIDER`, or the sources. */
export const providerCommand: readonly string[] = process.env["OUR_PROVIDER"]
  ? [process.env["OUR_PROVIDER"]]
  : [process.execPath, join(import.meta.dirname, "../../src/main.ts")];
