import type { World } from "../core/world/world.ts";
import { isZoneOnNode, sdnVersion } from "./node-files.ts";

// pve-network `src/PVE/Network/SDN/Zones.pm`, status.

export interface VnetStatus {
  readonly zone: string;
  readonly status: "available" | "pending" | "error";
  readonly statusmsg?: string;
}

/** Why a node does not have the applied configuration yet; undefined if it has. */
function pendingReason({ sdn, nodes }: World, node: string): string | undefined {
  const host = nodes[node];
  const version = host === undefined ? undefined : sdnVersion(host);
  if (version === undefined) {
    return "local sdn network configuration is not yet generated, please reload";
  }
  return version < sdn.running.version ? "local sdn network configuration is too old, please reload" : undefined;
}

/** The errors of a vnet that should exist on a node. */
function vnetProblem({ sdn, nodes }: World, node: string, id: string, zone: string): string | undefined {
  const host = nodes[node];
  const bridge = sdn.running.zones[zone]?.options["bridge"];
  if (
    bridge !== undefined &&
    host?.interfaces[String(bridge)] === undefined &&
    !host?.otherBridges.includes(String(bridge))
  ) {
    return `missing ${bridge}`;
  }
  return host?.sdnInterfaces?.includes(`\niface ${id}\n`)
    ? undefined
    : "vnet is not generated. Please check the 'reload network' task log.";
}

/** Vnets on a node by id; empty before the first apply. */
export function vnetStatuses(world: World, node: string): Record<string, VnetStatus> {
  const { running } = world.sdn;
  const pending = pendingReason(world, node);
  const here = Object.keys(running.vnets)
    .sort()
    .filter((id) => isZoneOnNode(running, String(running.vnets[id]?.options["zone"]), node));
  return Object.fromEntries(
    here.map((id): [string, VnetStatus] => {
      const zone = String(running.vnets[id]?.options["zone"]);
      if (pending !== undefined) {
        return [id, { zone, status: "pending", statusmsg: pending }];
      }
      const problem = vnetProblem(world, node, id, zone);
      return [
        id,
        problem === undefined ? { zone, status: "available" } : { zone, status: "error", statusmsg: problem },
      ];
    }),
  );
}

/** Zones on a node by id, with the worst state of their vnets. */
export function zoneStatuses(world: World, node: string): Record<string, VnetStatus["status"]> {
  const { running } = world.sdn;
  const vnets = Object.values(vnetStatuses(world, node));
  const zones = Object.keys(running.zones)
    .sort()
    .filter((zone) => isZoneOnNode(running, zone, node));
  return Object.fromEntries(
    zones.map((zone) => {
      const isBroken = vnets.some((vnet) => vnet.zone === zone && vnet.status === "error");
      return [zone, pendingReason(world, node) !== undefined ? "pending" : isBroken ? "error" : "available"];
    }),
  );
}

/** Fabrics of which a node is a member; one without another member has no routes. */
export function fabricStatuses({ sdn }: World, node: string): Record<string, { protocol: unknown; status: string }> {
  const members = Object.values(sdn.running.fabrics).filter(({ options }) => options["node_id"] !== undefined);
  return Object.fromEntries(
    members
      .filter(({ options }) => options["node_id"] === node)
      .map(({ options }) => {
        const id = String(options["fabric_id"]);
        const size = members.filter((member) => member.options["fabric_id"] === id).length;
        return [id, { protocol: options["protocol"], status: size > 1 ? "ok" : "not ok" }];
      }),
  );
}
