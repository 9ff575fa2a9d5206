/** The corner provider as a program: what Terraform starts, or with `--debug` a person. */
import { createServer } from "#framework";
import { serve } from "#plugin";
import { createLog, levelFrom } from "../../../src/log.ts";
import { cornerAddress } from "./address.ts";
import { cornerProvider } from "./provider.ts";

const log = createLog({ module: "provider.corner", level: levelFrom(process.env["CORNER_LOG_LEVEL"]) });

process.exit(
  await serve({
    address: cornerAddress,
    log,
    createServer: () => createServer(cornerProvider, { log, onSecret: log.hide }),
  }),
);
