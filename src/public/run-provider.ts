import { type Attributes, createServer, type ProviderDefinition } from "#framework";
import { isStartedByOpenTofu, serve } from "#plugin";
import { createLog, levelFrom } from "../log.ts";

export interface ProgramOptions {
  /** The provider's source address: `registry.terraform.io/namespace/name`. */
  readonly address: string;
  /** What of the log reaches Terraform, which shows it with `TF_LOG`: `error`, `warn`, `info` or `debug`. Default: `info`. */
  readonly logLevel?: string | undefined;
}

/**
 * The whole program of a provider: serves Terraform until it disconnects, and ends the process. With `--debug` it prints the variable
 * for Terraform to attach to it, and serves until it is interrupted. Nothing else may write to stdout.
 */
export async function runProvider<A extends Attributes, Api>(
  provider: ProviderDefinition<A, Api>,
  { address, logLevel }: ProgramOptions,
): Promise<never> {
  const log = createLog({ module: `provider.${provider.name}`, level: levelFrom(logLevel) });
  const options = { address, log, onSecret: log.hide, isOpenTofu: isStartedByOpenTofu };
  process.exit(await serve({ address, log, createServer: () => createServer(provider, options) }));
}
