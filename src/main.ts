import { isStartedByOpenTofu, isStartedByTerraform, serve } from "#plugin";
import { deferLog } from "./deferred-log.ts";
import { compileLater } from "./later-compilation.ts";
import { readersOf } from "./log/readers.ts";
import { preparedAnswers } from "./prepared-answers.ts";
import { sourceAddress } from "./source-address.ts";

/**
 * Terraform starts this file several times in each run and waits for the handshake every time, so everything else is
 * imported only when it is needed.
 */
if (isStartedByTerraform(process.env)) compileLater();
const isProvider = isStartedByTerraform(process.env) || process.argv.includes("--debug");
void (isProvider ? serveTerraform() : servePerson()).then((code) => process.exit(code));

async function serveTerraform(): Promise<number> {
  const log = deferLog({
    async load() {
      const [{ openLog }, { version }] = await Promise.all([import("./log/open.ts"), import("./cli/version.ts")]);
      return openLog({ env: process.env, version });
    },
    takes: readersOf(process.env),
  });
  const code = await serve({
    address: sourceAddress,
    log,
    ...(preparedAnswers && { preparedAnswers }),
    async createServer() {
      const [{ createServer }, { provider }] = await Promise.all([import("#framework"), loadProvider()]);
      return createServer(provider, {
        address: sourceAddress,
        log,
        onSecret: log.hide,
        isOpenTofu: isStartedByOpenTofu,
      });
    },
  });
  await log.written();
  return code;
}

/** `rehearse` starts this file with `--debug`, to serve a provider of its copy of the cluster. */
const loadProvider = () =>
  process.argv.includes("--debug") && process.env["PROXMOX_REHEARSAL_COPY"] !== undefined
    ? import("./cli/rehearse/copy-provider.ts")
    : import("./provider.ts");

async function servePerson(): Promise<number> {
  const { runCommandLine } = await import("./cli/index.ts");
  const code = await runCommandLine(process.argv.slice(2));
  // A pipe accepts long texts in pieces.
  await new Promise((written) => process.stdout.write("", written));
  return code;
}
