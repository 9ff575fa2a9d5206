import { isStartedByTerraform, serve } from "#plugin";
import { createLog, levelFrom } from "./log.ts";
import { preparedSchema } from "./prepared-schema.ts";
import { sourceAddress } from "./source-address.ts";

/**
 * Terraform starts this file several times in each run and waits for the handshake every time, so whatever is not
 * needed for that is imported when it is needed.
 */
const isProvider = isStartedByTerraform(process.env) || process.argv.includes("--debug");
process.exit(isProvider ? await serveTerraform() : await servePerson());

async function serveTerraform(): Promise<number> {
  const log = createLog({ module: "provider.proxmox", level: levelFrom(process.env["PROXMOX_LOG_LEVEL"]) });
  return serve({
    address: sourceAddress,
    log,
    ...(preparedSchema && { schemaBytes: preparedSchema }),
    async createServer() {
      const [{ createServer }, { provider }] = await Promise.all([import("#framework"), import("./provider.ts")]);
      return createServer(provider, { log, onSecret: log.hide });
    },
  });
}

async function servePerson(): Promise<number> {
  const { runCommandLine } = await import("./cli/index.ts");
  return runCommandLine(process.argv.slice(2));
}
