import { isIP } from "node:net";
import { bpg, defineCrud, Failure, type LegacyState, matches, string } from "#kit";

/** An address, or a network: host bits may be set, as PVE keeps them. */
function faultOf(text: string): string | undefined {
  const [address = "", prefix, ...more] = text.split("/");
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits > 0 && isPrefix && more.length === 0
    ? undefined
    : 'Must be an IP address or a network, such as "10.0.0.1" or "10.0.0.0/24".';
}

/** PVE keeps a network of one address as the address. */
const plain = (text: string): string => text.replace(/^([\d.]+)\/32$/, "$1").replace(/^(.*:.*)\/128$/, "$1");

/** bpg's type has aliases of guests and nodes, too. */
function clusterAlias(old: LegacyState): string | undefined {
  if (["container_id", "vm_id"].every((owner) => old.count(owner) === undefined) && !old.text("node_name")) {
    return old.text("name");
  }
  const detail = "The alias belongs to a guest, and proxmox_firewall_alias manages those of the cluster.";
  throw new Failure("Unable to move the resource", detail);
}

/** `proxmox_firewall_alias`. Server side: pve-firewall `src/PVE/API2/Firewall/Aliases.pm`. */
export const firewallAlias = defineCrud({
  type: "proxmox_firewall_alias",
  subcategory: "Firewall",
  doc: "A name for an address or a network in the firewall of the cluster. Rules and IP sets refer to it as `dc/NAME`.",
  noun: "firewall alias",
  path: "/cluster/firewall/aliases/{name}",
  file: "cluster.fw",
  identity: ["name"],
  put: "whole",
  isListWhole: true,
  movedFrom: [bpg("firewall_alias", { name: clusterAlias, cidr: "cidr", comment: "comment" })],
  attributes: {
    name: {
      type: string({
        check: matches(/^[A-Za-z][A-Za-z0-9_-]{1,63}$/, "a letter and then 1 to 63 letters, digits, `-` or `_`"),
      }),
      mode: "required",
      wire: "name",
      replace: true,
      doc: "Name of the alias; upper and lower case are the same to Proxmox VE.",
    },
    cidr: {
      type: string({ check: faultOf, same: (a, b) => plain(a) === plain(b) }),
      mode: "required",
      wire: "cidr",
      doc: "IP address or network, such as `10.0.0.0/24`.",
    },
    comment: {
      type: string({ check: matches(/^\S([^\n]*\S)?$/, "one line that is not blank") }),
      mode: "optional",
      wire: "comment",
      doc: "A comment.",
    },
  },
});
