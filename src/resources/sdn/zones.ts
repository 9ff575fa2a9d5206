import { defineCollection, int, isPveError, map, type Session, shown, string } from "#kit";
import { composed, editedRows, pendingList, stateOfChange, texts } from "./lists.ts";

/** `proxmox_sdn_zones`. Server side: pve-network `src/PVE/API2/Network/SDN/Zones.pm`, `index`. */
export const sdnZonesData = defineCollection({
  type: "proxmox_sdn_zones",
  subcategory: "SDN",
  doc: "Zones of the SDN as they are configured, with what waits for a commit, and their state on each node that is online. Zones on which the caller lacks `SDN.Audit` and `SDN.Allocate` are not shown.",
  ...pendingList("/cluster/sdn/zones"),
  items: "zones",
  key: "id",
  filters: { id: "Only zones of this name", type: "Only zones of this type" },
  async rows({ api, answer, signal }) {
    const status = await statusByZone(api, signal);
    return editedRows(answer).map((zone) => ({
      ...zone,
      status: JSON.stringify(status.get(String(zone["zone"])) ?? {}),
    }));
  },
  attributes: {
    id: shown(string(), "zone", "Name."),
    type: shown(string(), "type", "`simple`, `vlan`, `qinq`, `vxlan` or `evpn`."),
    nodes: texts("nodes", "Nodes that have it. Null: all."),
    mtu: shown(int(), "mtu", "MTU of its vnets."),
    ipam: shown(string(), "ipam", "IPAM that registers addresses."),
    dns: shown(string(), "dns", "DNS server for names of guests."),
    reverse_dns: shown(string(), "reversedns", "DNS server for addresses of guests."),
    dns_zone: shown(string(), "dnszone", "Domain of the guests."),
    bridge: shown(string(), "bridge", "Bridge that carries the VLANs."),
    service_vlan: shown(int(), "tag", "Outer VLAN of a `qinq` zone."),
    dhcp: shown(string(), "dhcp", "Server for DHCP."),
    controller: shown(string(), "controller", "Controller of an `evpn` zone."),
    vrf_vxlan: shown(int(), "vrf-vxlan", "VXLAN identifier of the routing in an `evpn` zone."),
    exit_nodes: texts("exitnodes", "Nodes of an `evpn` zone that route to the outside."),
    peers: texts("peers", "Addresses of the nodes of a `vxlan` zone."),
    fabric: shown(string(), "fabric", "Fabric whose members are the peers."),
    state: stateOfChange,
    status: {
      type: map(string()),
      ...composed("status"),
      doc: "State on each node that is online: `available`, `pending` or `error`.",
    },
  },
});

/** Nodes that cannot be asked are left out. */
async function statusByZone(api: Session, signal: AbortSignal): Promise<Map<string, Record<string, string>>> {
  const { nodes, isOnline } = await api.inventory.snapshot();
  const byZone = new Map<string, Record<string, string>>();
  await Promise.all(
    [...nodes.keys()].filter(isOnline).map(async (node) => {
      const zones = await api.sdn.listZoneStatus(node, { signal }).catch(noneIfAway);
      for (const { zone, status } of zones) byZone.set(zone, { ...byZone.get(zone), [node]: status });
    }),
  );
  return byZone;
}

function noneIfAway(reason: unknown): never[] {
  if (isPveError(reason, "unreachable", "timeout")) return [];
  throw reason;
}
