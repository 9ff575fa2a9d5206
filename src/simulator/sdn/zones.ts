import type { World } from "../core/world/world.ts";

/** The zone of all bridges of a host; it is in no configuration file. */
export const localZone = "localnetwork";

/** The zone of a bridge: that of the vnet with this name, otherwise the host's own. */
export function zoneOfBridge(world: World, bridge: string): string {
  const zone = world.sdn.vnets[bridge]?.options["zone"];
  return typeof zone === "string" ? zone : localZone;
}
