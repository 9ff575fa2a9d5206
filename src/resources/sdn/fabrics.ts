import { defineCollection, found, inOrder, int, list, nested, nullable, shown, string } from "#kit";
import type { ConfigObject } from "#pve";
import { composed, editedRows, pendingList, stateOfChange } from "./lists.ts";

const member = {
  node: found(string(), "Node."),
  ip: found(nullable(string()), "IPv4 address in the fabric."),
  ip6: found(nullable(string()), "IPv6 address in the fabric."),
  interfaces: found(list(string()), "Names of its interfaces in the fabric, in alphabetical order."),
} as const;

/** `proxmox_sdn_fabrics`. Server side: pve-network `src/PVE/API2/Network/SDN/Fabrics.pm`. */
export const sdnFabricsData = defineCollection({
  type: "proxmox_sdn_fabrics",
  subcategory: "SDN",
  doc: "Fabrics of the SDN with their nodes as they are configured, with what waits for a commit. Those on which the caller lacks `SDN.Audit` and `SDN.Allocate` are not shown.",
  ...pendingList("/cluster/sdn/fabrics/fabric"),
  items: "fabrics",
  key: "id",
  filters: { id: "Only fabrics of this name", protocol: "Only fabrics of this protocol" },
  async rows({ api, answer, signal }) {
    const { nodes } = await api.sdn.listFabrics({ signal });
    const members = editedRows(nodes).filter(({ state }) => state !== "deleted");
    return editedRows(answer).map((fabric) => ({
      ...fabric,
      members: JSON.stringify(
        inOrder(members.filter((one) => one["fabric_id"] === fabric["id"]).map(memberOf), ({ node }) => [node]),
      ),
    }));
  },
  attributes: {
    id: shown(string(), "id", "Name."),
    protocol: shown(string(), "protocol", "`openfabric`, `ospf`, `wireguard` or `bgp`."),
    ip_prefix: shown(string(), "ip_prefix", "IPv4 network of the nodes' addresses."),
    ip6_prefix: shown(string(), "ip6_prefix", "IPv6 network of the nodes' addresses."),
    area: shown(string(), "area", "Area of an `ospf` fabric."),
    hello_interval: shown(int(), "hello_interval", "Seconds between greetings of an `openfabric` fabric."),
    csnp_interval: shown(int(), "csnp_interval", "Seconds between summaries of an `openfabric` fabric."),
    nodes: {
      type: list(nested(member)),
      ...composed("members"),
      doc: "Its nodes, in alphabetical order.",
    },
    state: stateOfChange,
  },
});

function memberOf({ node_id: node, ip, ip6, interfaces }: ConfigObject) {
  const names = ((interfaces ?? []) as readonly string[]).map((text) => /(?:^|,)name=([^,]+)/.exec(text)?.[1] ?? text);
  return { node: String(node), ip: ip ?? null, ip6: ip6 ?? null, interfaces: names.sort() };
}
