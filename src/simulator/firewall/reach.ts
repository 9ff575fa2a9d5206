import type { Caller } from "../core/access/caller.ts";
import type { FirewallFile } from "../core/world/firewall.ts";
import type { World } from "../core/world/world.ts";
import { readFirewall } from "./files.ts";
import type { Reach } from "./rule-checks.ts";
import type { Environment } from "./scopes.ts";

/** Sets that the SDN creates: four for each applied vnet, and one for each guest with addresses in PVE's IPAM. */
export function sdnSets({ sdn, guests }: World, caller?: Caller): { name: string; comment?: string }[] {
  const { vnets } = sdn.running;
  const vnetNames = Object.keys(vnets)
    .sort()
    .filter(
      (id) => caller?.hasAny(`/sdn/zones/${vnets[id]?.options["zone"]}/${id}`, ["SDN.Audit", "SDN.Allocate"]) ?? true,
    );
  const entries = Object.values(sdn.addresses).flatMap((subnets) => Object.values(subnets).flatMap(Object.values));
  const vmids = [...new Set(entries.flatMap(({ vmid }) => vmid ?? []))]
    .sort()
    .filter((vmid) => guests[vmid] !== undefined && (caller?.has(`/vms/${vmid}`, ["VM.Audit"]) ?? true));
  return [
    ...vnetNames.flatMap((id) => [
      { name: `${id}-all`, comment: `All subnets of VNet ${id}` },
      { name: `${id}-gateway`, comment: `All gateways of VNet ${id}` },
      { name: `${id}-no-gateway`, comment: `All subnets of VNet ${id}, excluding gateways` },
      { name: `${id}-dhcp`, comment: `DHCP ranges of VNet ${id}` },
    ]),
    ...vmids.map((vmid) => ({ name: `guest-ipam-${vmid}` })),
  ];
}

/** Files whose sets and aliases a rule may name: its own file and the cluster's. */
export function reachOf(world: World, environment: Environment, own: FirewallFile, caller?: Caller): Reach {
  const isCluster = environment === "cluster" || environment === "group";
  return {
    own: environment === "group" ? undefined : own,
    cluster: isCluster ? own : readFirewall(world, "cluster"),
    sdnSets: sdnSets(world, caller).map(({ name }) => name),
  };
}
