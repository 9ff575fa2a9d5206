import type { Caller } from "../core/access/caller.ts";
import type { World } from "../core/world/world.ts";

/** `check_sdn_bridge`: requires privileges on the bridge, or on any VLAN of it in the ACL. */
export function mayUseBridge(world: World, caller: Caller, zone: string, bridge: string): boolean {
  const path = `/sdn/zones/${zone}/${bridge}`;
  const vlans = world.access.acl.map((entry) => entry.path).filter((candidate) => candidate.startsWith(`${path}/`));
  return [path, ...vlans].some((candidate) => caller.hasAny(candidate, ["SDN.Audit", "SDN.Use"]));
}
