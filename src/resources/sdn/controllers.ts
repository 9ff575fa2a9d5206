import { bool, defineCollection, int, shown, string } from "#kit";
import { pendingList, stateOfChange, texts } from "./lists.ts";

/** `proxmox_sdn_controllers`. Server side: pve-network `src/PVE/API2/Network/SDN/Controllers.pm`, `index`. */
export const sdnControllersData = defineCollection({
  type: "proxmox_sdn_controllers",
  subcategory: "SDN",
  doc: "Routing controllers of the SDN as they are configured, with what waits for a commit. Those on which the caller lacks `SDN.Audit` and `SDN.Allocate` are not shown.",
  ...pendingList("/cluster/sdn/controllers"),
  items: "controllers",
  key: "id",
  filters: { id: "Only controllers of this name", type: "Only controllers of this type" },
  attributes: {
    id: shown(string(), "controller", "Name."),
    type: shown(string(), "type", "`evpn`, `bgp` or `isis`."),
    node: shown(string(), "node", "Node that it runs on. Null: all."),
    asn: shown(int(), "asn", "Number of the autonomous system."),
    peers: texts("peers", "Addresses of the peers."),
    fabric: shown(string(), "fabric", "Fabric whose members are the peers."),
    ebgp: { ...shown(bool(), "ebgp", "Whether the peers are in other autonomous systems."), absent: false },
    state: stateOfChange,
  },
});
