import { bool, defineDataSource, found, list, nested, nullable, string } from "#kit";

/** `proxmox_cluster_status`. Server side: pve-manager `PVE/API2/Cluster.pm`, `status`. */
export const clusterStatusData = defineDataSource({
  type: "proxmox_cluster_status",
  subcategory: "Cluster",
  doc: "The cluster and its nodes: quorum, addresses, and who is online. Requires `Sys.Audit` on `/`.",
  attributes: {
    name: found(nullable(string()), "Name of the cluster; null for a node on its own."),
    quorate: found(bool(), "Whether the cluster has a quorum. A node on its own has."),
    nodes: found(
      list(
        nested({
          name: found(string(), "Name of the node."),
          address: found(nullable(string()), "Address of the node."),
          online: found(bool(), "Whether the node is online."),
          local: found(bool(), "Whether it is the node that has answered."),
        }),
      ),
      "Nodes, ordered by name.",
    ),
  },

  async read({ api, signal }) {
    const members = await api.cluster.listMembers({ signal });
    const cluster = members.find(({ type }) => type === "cluster");
    const nodes = members.filter(({ type }) => type === "node").sort((a, b) => (a.name < b.name ? -1 : 1));
    return {
      name: cluster?.name ?? null,
      quorate: cluster?.quorate ?? true,
      nodes: nodes.map(({ name, ip, online, local }) => ({
        name,
        address: ip ?? null,
        online: online ?? false,
        local: local ?? false,
      })),
    };
  },
});
