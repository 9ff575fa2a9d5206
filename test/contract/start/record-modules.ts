/** Preloaded into a provider: writes down each module it loads. */
import { appendFileSync } from "node:fs";
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, nextLoad) {
    appendFileSync(String(process.env["LOADED_MODULES"]), `${url}\n`);
    return nextLoad(url, context);
  },
});
