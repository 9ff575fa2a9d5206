import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";

/** `read_bridge_mtu` of pve-common `src/PVE/Network.pm`: what a new VirtIO device asks first. */
export function requireBridge({ sim, node }: Process, bridge: string): void {
  const host = sim.world.nodes[node];
  const isVnet = sim.world.sdn.running.vnets[bridge] !== undefined;
  if (!isVnet && host?.interfaces[bridge] === undefined && !host?.otherBridges.includes(bridge)) {
    die(`bridge '${bridge}' does not exist`);
  }
}

interface Tap {
  readonly bridge?: string | undefined;
  readonly trunks?: string | undefined;
}

/**
 * `tap_plug` of pve-common `src/PVE/Network.pm`: moves a present device to a bridge. That takes a bridge the kernel knows;
 * a seed's bridge that is not said to be active is only a line in a file.
 */
export function replugTap({ sim, node }: Process, { bridge = "", trunks }: Tap): void {
  if (sim.world.sdn.running.vnets[bridge] !== undefined) {
    return;
  }
  const options = sim.world.nodes[node]?.interfaces[bridge];
  if (options === undefined || options["active"] === 0) {
    die(`interface ${bridge} does not exist`);
  }
  if (trunks !== undefined && Number(options?.["bridge_vlan_aware"]) !== 1) {
    die("vlan aware feature need to be enabled to use trunks at /usr/share/perl5/PVE/Network.pm line 541.");
  }
}
