/** Preloaded into a provider: records each module that it loads, in one file for each process. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";

const record = join(String(process.env["LOADED_MODULES"]), String(process.pid));

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(record, `${url}\n`);
    return nextLoad(url, context);
  },
});
