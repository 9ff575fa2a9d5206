import { defineCrud, int, matches, string } from "#kit";
import { fingerprint, key, url } from "./server-options.ts";

/** `proxmox_sdn_dns`. Server side: pve-network `src/PVE/API2/Network/SDN/Dns.pm`. */
export const sdnDns = defineCrud({
  type: "proxmox_sdn_dns",
  subcategory: "SDN",
  doc: "A PowerDNS server that gets the names of guests in zones of the SDN. Proxmox VE connects to it when it is created or changed. It is not staged: changes take effect at once.",
  noun: "DNS server of SDN",
  path: "/cluster/sdn/dns/{dns}",
  file: "SDN",
  identity: ["id"],
  isListWhole: true,
  fixed: { type: "powerdns" },
  plannedAs: "dns",
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z][A-Za-z0-9]*[A-Za-z0-9]$/, "a letter and then letters or digits") }),
      mode: "required",
      wire: "dns",
      replace: true,
      doc: "Name of the server.",
    },
    url,
    ...key,
    ttl: {
      type: int({ min: 0 }),
      mode: "optional",
      wire: "ttl",
      doc: "Seconds that names may be cached. Left out: 14400.",
    },
    reverse_mask_v6: {
      type: int({ min: 4, max: 128 }),
      mode: "optional",
      wire: "reversemaskv6",
      doc: "Length of the prefix of reverse zones for IPv6. Left out: that of the subnet.",
    },
    fingerprint,
  },
});
