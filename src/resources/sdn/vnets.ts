import { bool, defineCollection, int, shown, string } from "#kit";
import { pendingList, stateOfChange } from "./lists.ts";

/** `proxmox_sdn_vnets`. Server side: pve-network `src/PVE/API2/Network/SDN/Vnets.pm`, `index`. */
export const sdnVnetsData = defineCollection({
  type: "proxmox_sdn_vnets",
  subcategory: "SDN",
  doc: "Vnets of the SDN as they are configured, with what waits for a commit. Vnets on which the caller lacks `SDN.Audit` and `SDN.Allocate` are not shown. What guests can use now is in `proxmox_networks`.",
  ...pendingList("/cluster/sdn/vnets"),
  items: "vnets",
  key: "id",
  filters: { id: "Only vnets of this name", zone: "Only vnets of this zone" },
  attributes: {
    id: shown(string(), "vnet", "Name of the vnet and of its bridges."),
    zone: shown(string(), "zone", "Zone."),
    tag: shown(int(), "tag", "VLAN or VXLAN identifier."),
    alias: shown(string(), "alias", "A comment."),
    vlan_aware: { ...shown(bool(), "vlanaware", "Whether guests can use VLANs inside the vnet."), absent: false },
    isolate_ports: {
      ...shown(bool(), "isolate-ports", "Whether guests on the same node cannot reach each other in it."),
      absent: false,
    },
    state: stateOfChange,
  },
});
