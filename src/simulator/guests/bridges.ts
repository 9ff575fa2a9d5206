import { die } from "../core/kernel/failure.ts";
import type { Process } from "../core/kernel/process.ts";

/** `read_bridge_mtu` of pve-common `src/PVE/Network.pm`: a new VirtIO device reads it first. */
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
 * `tap_plug` of pve-common `src/PVE/Network.pm`: moves an existing device to a bridge. That needs a bridge in the
 * kernel; a bridge of the seed that is not marked as active exists only in the file.
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
