import { defineCrud, int, matches, nested, string } from "#kit";
import { fingerprint, token, url } from "./server-options.ts";

/** `proxmox_sdn_ipam`. Server side: pve-network `src/PVE/API2/Network/SDN/Ipams.pm`. */
export const sdnIpam = defineCrud({
  type: "proxmox_sdn_ipam",
  subcategory: "SDN",
  doc: "A server that manages IP addresses for zones of the SDN. Proxmox VE connects to it when it is created or changed. It is not staged: changes take effect at once. `pve` is built in and not managed here.",
  noun: "IPAM",
  path: "/cluster/sdn/ipams/{ipam}",
  file: "SDN",
  identity: ["id"],
  isListWhole: true,
  variants: { names: ["netbox", "phpipam"] },
  plannedAs: "ipam",
  isOwn: ({ type }) => type !== "pve",
  attributes: {
    id: {
      type: string({ check: matches(/^[A-Za-z][A-Za-z0-9]*[A-Za-z0-9]$/, "a letter and then letters or digits") }),
      mode: "required",
      wire: "ipam",
      replace: true,
      doc: "Name of the IPAM.",
    },
    netbox: {
      type: nested({ url, ...token, fingerprint }),
      mode: "optional",
      doc: "NetBox. Exactly one of `netbox` and `phpipam` must be given.",
    },
    phpipam: {
      type: nested({
        url,
        ...token,
        section: { type: int({ min: 0 }), mode: "required", wire: "section", doc: "Number of the section." },
        fingerprint,
      }),
      mode: "optional",
      doc: "phpIPAM.",
    },
  },
});
