import type { World } from "../core/world/world.ts";

/** The zone that every bridge of a host belongs to; it is in no configuration file. */
export const localZone = "localnetwork";

/** The zone a bridge is in: the vnet's of that name, else the host's own. */
export function zoneOfBridge(world: World, bridge: string): string {
  const zone = world.sdn.vnets[bridge]?.options["zone"];
  return typeof zone === "string" ? zone : localZone;
}
