import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { Guest } from "../core/world/guest.ts";
import { requireBridge } from "../guests/bridges.ts";
import { isTemplate } from "./container.ts";
import { checkDevice } from "./devices.ts";
import { parseNetwork } from "./networks.ts";
import { isDeviceKey, isNetworkKey } from "./options.ts";

/**
 * `update_lxc_config` of pve-container `src/PVE/LXC.pm` writes the runtime's own file after the configuration was
 * saved: its errors do not undo the change.
 */
export function checkRuntimeConfig(process: Process, guest: Guest): void {
  const { config } = guest;
  if (isTemplate(guest)) {
    return;
  }
  if (!config["arch"]) {
    die("missing 'arch' - internal error at /usr/share/perl5/PVE/LXC.pm line 729.");
  }
  if (!config["ostype"]) {
    die("missing 'ostype' - internal error at /usr/share/perl5/PVE/LXC.pm line 735.");
  }
  const keys = Object.keys(config).sort();
  for (const key of keys.filter(isDeviceKey)) {
    checkDevice(key, config[key] ?? "");
  }
  if (config["rootfs"] === undefined) {
    die("missing 'rootfs' configuration");
  }
  for (const key of keys.filter(isNetworkKey)) {
    requireBridge(process, parseNetwork(config[key] ?? "")["bridge"] ?? "");
  }
}
