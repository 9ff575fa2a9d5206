import type { Caller } from "../core/access/caller.ts";
import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";
import type { Simulation } from "../core/kernel/simulation.ts";
import { type Parsed, parsePropertyString, printPropertyString } from "../core/schema/property-string.ts";
import type { World } from "../core/world/world.ts";
import { requireBridge } from "../guests/bridges.ts";
import { randomMac } from "../guests/mac-address.ts";
import { zoneOfBridge } from "../sdn/zones.ts";
import { networkFormat } from "./formats.ts";

export function parseNetwork(text: string): Parsed {
  return parsePropertyString(networkFormat, text);
}

export function printNetwork(network: Parsed): string {
  return printPropertyString(networkFormat, network);
}

/** `parse_lxc_network` and back: the type is always `veth`, and a missing address is generated. */
export function completeNetwork(sim: Simulation, text: string, hwaddr?: string): string {
  const network = parseNetwork(text);
  const address = hwaddr ?? network["hwaddr"] ?? randomMac(sim);
  return printNetwork({ ...network, type: "veth", hwaddr: address });
}

const bridgeMtu = 1500;

/** The checks of `update_pct_config` for a network device. */
export function checkNetwork(process: Process, key: string, text: string): void {
  const { bridge, mtu, ip6, link_down: isDown, "host-managed": isManaged } = parseNetwork(text);
  if (mtu !== undefined && mtu !== "0") {
    requireBridge(process, bridge ?? "");
    if (Number(mtu) > bridgeMtu) {
      die(`${key}: MTU size '${mtu}' is bigger than bridge MTU '${bridgeMtu}'`);
    }
  }
  if (isDown !== "1" && isManaged === "1" && ip6 === "auto") {
    die(`${key}: SLAAC is not supported for host-managed network configuration.`);
  }
}

/** The network device of a clone: all options but the address. */
export function renewNetwork(sim: Simulation, text: string): string {
  return completeNetwork(sim, text, randomMac(sim));
}

/** `check_bridge_access`: requires `SDN.Use` on the bridge, or on each named VLAN. */
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
