import { createClient, type PveClient, resolveSettings, settingsFromEnvironment } from "#pve";
import type { CommandContext } from "./command-context.ts";
import { version } from "./version.ts";

export const userAgent = `terraform-provider-proxmox/${version} (command line)`;

/** A client of the cluster in the environment, with the same variables as the provider. */
export function connect(env: CommandContext["env"]): PveClient {
  return createClient(resolveSettings(settingsFromEnvironment(env).settings), { userAgent });
}
