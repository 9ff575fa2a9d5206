import { isStartedByTerraform, serve } from "#plugin";
import { deferLog } from "./deferred-log.ts";
import { preparedSchema } from "./prepared-schema.ts";
import { sourceAddress } from "./source-address.ts";

/**
 * Terraform starts this file several times in each run and waits for the handshake every time, so whatever is not
 * needed for that is imported when it is needed.
 */
const isProvider = isStartedByTerraform(process.env) || process.argv.includes("--debug");
process.exit(isProvider ? await serveTerraform() : await servePerson());

async function serveTerraform(): Promise<number> {
  const log = deferLog(async () => {
    const { createLog, levelFrom } = await import("./log.ts");
    return createLog({ module: "provider.proxmox", level: levelFrom(process.env["PROXMOX_LOG_LEVEL"]) });
  });
  const code = await serve({
    address: sourceAddress,
    log,
    ...(preparedSchema && { schemaBytes: preparedSchema }),
    async createServer() {
      const [{ createServer }, { provider }] = await Promise.all([import("#framework"), import("./provider.ts")]);
      return createServer(provider, { log, onSecret: log.hide });
    },
  });
  await log.ready();
  return code;
}

async function servePerson(): Promise<number> {
  const { runCommandLine } = await import("./cli/index.ts");
  return runCommandLine(process.argv.slice(2));
}
