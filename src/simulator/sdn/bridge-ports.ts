import { splitList } from "../core/schema/format.ts";
import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";

interface Port {
  readonly name: string;
  readonly vmid?: string;
  readonly index?: string;
  readonly vlans?: string[];
  readonly primary_vlan?: number;
}

/** The device of a running guest's network card on the host. */
function guestPorts({ vmid, type, config, run }: Guest, bridge: string): (Port & { tag?: string })[] {
  return Object.entries(run === undefined ? {} : config).flatMap(([index, text]) => {
    const number = /^net(\d+)$/.exec(index)?.[1];
    const options = Object.fromEntries(text.split(",").map((pair) => pair.split("=", 2) as [string, string]));
    if (number === undefined || options["bridge"] !== bridge) {
      return [];
    }
    const name =
      options["firewall"] === "1" ? `fwpr${vmid}p${number}` : `${type === "lxc" ? "veth" : "tap"}${vmid}i${number}`;
    return [{ name, vmid: String(vmid), index, ...(options["tag"] !== undefined && { tag: options["tag"] }) }];
  });
}

/** A bridge with its ports, as `ip link` shows them. */
export function describeBridge(world: World, node: string, bridge: string): Record<string, unknown> {
  const entry = world.nodes[node]?.interfaces[bridge];
  const vnet = world.sdn.running.vnets[bridge];
  const isAware = Number(entry?.["bridge_vlan_aware"] ?? vnet?.options["vlanaware"] ?? 0) === 1;
  const guests = Object.values(world.guests).filter((guest) => guest.node === node);
  const ports = [
    ...splitList(String(entry?.["bridge_ports"] ?? "")).map((name): Port & { tag?: string } => ({ name })),
    ...guests.flatMap((guest) => guestPorts(guest, bridge)),
  ];
  return {
    name: bridge,
    vlan_filtering: isAware ? 1 : 0,
    ports: ports.map(({ tag, ...port }) => ({
      ...port,
      ...(isAware && { primary_vlan: Number(tag ?? 1), vlans: tag === undefined ? ["2-4094"] : [] }),
    })),
  };
}
