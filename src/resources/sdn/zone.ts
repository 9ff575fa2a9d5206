import { defineCrud, int, matches, set, string } from "#kit";
import { zonesMovedFrom } from "./moved-from.ts";
import { dnsName } from "./names.ts";
import { planZone } from "./plan-zone.ts";
import { findIn, sdnAttributes, staged } from "./staged.ts";
import { zoneTypeNames, zoneTypes } from "./zone-types.ts";

const path = "/cluster/sdn/zones/{zone}";

/** `proxmox_sdn_zone`. Server side: pve-network `src/PVE/API2/Network/SDN/Zones.pm`, `src/PVE/Network/SDN/Zones/*Plugin.pm`. */
export const sdnZone = defineCrud({
  type: "proxmox_sdn_zone",
  subcategory: "SDN",
  doc: "A zone of the SDN: how the networks in it (`proxmox_sdn_vnet`) are separated from others and connected between the nodes. One object says of which type it is. All changes of a run to the SDN take effect together, with one commit.",
  noun: "SDN zone",
  path,
  file: "SDN",
  identity: ["id"],
  variants: { names: zoneTypeNames },
  // PVE looks for it in the request, not in what the zone has.
  alwaysSent: ["dns"],
  plannedAs: "zone",
  movedFrom: zonesMovedFrom,
  ...staged,
  find: findIn(path, "zone"),
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z][A-Za-z0-9]{1,7}$/, "a letter and then 1 to 7 letters or digits") }),
      mode: "required",
      wire: "zone",
      replace: true,
      doc: "Name of the zone, of 2 to 8 letters and digits.",
    },
    nodes: {
      type: set(string(), { min: 1 }),
      mode: "optional",
      wire: "nodes",
      refers: "node",
      doc: "Nodes that have the zone. Left out: all.",
    },
    mtu: {
      type: int({ min: 68, max: 65_520 }),
      mode: "optional",
      wire: "mtu",
      doc: "MTU of the vnets. Left out: that of the bridge, or 1500; VXLAN and EVPN take 50 bytes of it.",
    },
    ipam: {
      type: string(),
      mode: "optional",
      wire: "ipam",
      refers: "ipam",
      doc: "IPAM that registers the addresses of guests; `pve` is built in. It cannot change while the zone has subnets. Left out: none.",
    },
    dns: { type: string(), mode: "optional", wire: "dns", refers: "dns", doc: "DNS server for names of guests." },
    reverse_dns: {
      type: string(),
      mode: "optional",
      wire: "reversedns",
      refers: "dns",
      doc: "DNS server for addresses of guests.",
    },
    dns_zone: {
      type: string({ check: dnsName("a domain, such as `lab.example.com`") }),
      mode: "optional",
      wire: "dnszone",
      doc: "Domain of the guests; requires `dns`.",
    },
    ...zoneTypes,
    ...sdnAttributes,
  },

  validate({ config, report }) {
    if (config.dns_zone && config.dns === null) {
      report.error("dns_zone", "DNS server needed", "`dns_zone` needs `dns`, the server that the names go to.");
    }
    const { vxlan } = config;
    if (!vxlan || vxlan.peers === undefined || vxlan.fabric === undefined) return;
    if ((vxlan.peers === null) === (vxlan.fabric === null)) {
      const detail = "A VXLAN zone needs its peers: give exactly one of `peers` and `fabric`.";
      report.error("vxlan", "Exactly one of peers and fabric", detail);
    }
  },
  plan: planZone,
});
