import type { Caller } from "../access/caller.ts";
import { macPrefix } from "../cluster/options.ts";
import type { Simulation } from "../kernel/simulation.ts";
import { type Parsed, parsePropertyString, printPropertyString } from "../schema/property-string.ts";
import { zoneOfBridge } from "../sdn/zones.ts";
import type { World } from "../world/world.ts";
import { networkFormat } from "./formats.ts";

export function parseNetwork(text: string): Parsed {
  return parsePropertyString(networkFormat, text);
}

/** `parse_lxc_network` and back: the type is always `veth`, and a missing address is drawn. */
export function completeNetwork(sim: Simulation, text: string, hwaddr?: string): string {
  const network = parseNetwork(text);
  const address = hwaddr ?? network["hwaddr"] ?? sim.random.mac(macPrefix(sim.world));
  return printPropertyString(networkFormat, { ...network, type: "veth", hwaddr: address });
}

/** A clone's network device: everything but the address. */
export function renewNetwork(sim: Simulation, text: string): string {
  return completeNetwork(sim, text, sim.random.mac(macPrefix(sim.world)));
}

/** `check_bridge_access`: `SDN.Use` on the bridge, or on each VLAN where some are named. */
export function checkNetworkAccess(world: World, caller: Caller, text: string): void {
  const { bridge, tag, trunks } = parseNetwork(text);
  if (caller.isRoot || bridge === undefined) {
    return;
  }
  const path = `/sdn/zones/${zoneOfBridge(world, bridge)}/${bridge}`;
  const vlans = [...(tag === undefined ? [] : [tag]), ...(trunks?.split(";") ?? [])];
  for (const vlan of vlans) {
    caller.check(`${path}/${vlan}`, ["SDN.Use"]);
  }
  if (vlans.length === 0) {
    caller.check(path, ["SDN.Use"]);
  }
}
