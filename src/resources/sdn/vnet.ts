import { bool, defineCrud, int, matches, string } from "#kit";
import { vnetsMovedFrom } from "./moved-from.ts";
import { planVnet } from "./plan-vnet.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";

const path = "/cluster/sdn/vnets/{vnet}";

/** `proxmox_sdn_vnet`. Server side: pve-network `src/PVE/API2/Network/SDN/Vnets.pm`. */
export const sdnVnet = defineCrud({
  type: "proxmox_sdn_vnet",
  subcategory: "SDN",
  doc: "A virtual network of an SDN zone: a bridge of that name on each node of the zone, which guests use like any other bridge. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN vnet",
  path,
  file: "SDN",
  identity: ["id"],
  plannedAs: "vnet",
  movedFrom: vnetsMovedFrom,
  ...staged,
  find: findIn(path, "vnet"),
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z][A-Za-z0-9]{1,7}$/, "a letter and then 1 to 7 letters or digits") }),
      mode: "required",
      wire: "vnet",
      replace: true,
      doc: "Name of the vnet and of its bridges, of 2 to 8 letters and digits.",
    },
    zone: {
      type: string(),
      mode: "required",
      wire: "zone",
      refers: "zone",
      doc: "Zone of the vnet. It cannot change while the vnet has subnets.",
    },
    tag: {
      type: int({ min: 1, max: 16_777_215 }),
      mode: "optional",
      wire: "tag",
      doc: "VLAN of the vnet in a `vlan` or `qinq` zone (at most 4096), or its VXLAN identifier in a `vxlan` or `evpn` zone. A `simple` zone has none; a `qinq` zone may have one vnet without.",
    },
    alias: {
      type: string({
        check: matches(/^(?! )[\w ().-]{1,256}(?<! )$/, "1 to 256 letters, digits, blanks inside and `()-_.`"),
      }),
      mode: "optional",
      wire: "alias",
      doc: "A comment.",
    },
    vlan_aware: {
      type: bool(),
      mode: "optional",
      wire: "vlanaware",
      doc: "Whether guests can use VLANs inside the vnet. Such a vnet cannot have subnets, and is not possible in an `evpn` zone. Left out: `false`.",
    },
    isolate_ports: {
      type: bool(),
      mode: "optional",
      wire: "isolate-ports",
      doc: "Whether guests on the same node cannot reach each other in this vnet. Left out: `false`.",
    },
    ...sdnAttributes,
  },
  plan: planVnet,
});
