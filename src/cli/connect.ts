import { createClient, type PveClient, resolveSettings, settingsFromEnvironment } from "#pve";
import type { Surroundings } from "./surroundings.ts";
import { version } from "./version.ts";

export const userAgent = `terraform-provider-proxmox/${version} (command line)`;

/** A client of the cluster that the environment names, by the same variables as the provider reads. */
export function connect(env: Surroundings["env"]): PveClient {
  return createClient(resolveSettings(settingsFromEnvironment(env).settings), { userAgent });
}
