import type { Simulation } from "../core/kernel/simulation.ts";
import type { World } from "../core/world/world.ts";

/** The MAC prefix of Proxmox. */
export const proxmoxMacPrefix = "BC:24:11";

/** The prefix of generated MAC addresses. */
export function macPrefix({ cluster }: World): string {
  return cluster.options["mac_prefix"] ?? proxmoxMacPrefix;
}

/** A new address with the cluster's prefix. */
export function randomMac({ random, world }: Simulation): string {
  return random.mac(macPrefix(world));
}
