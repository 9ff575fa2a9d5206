import { endpoint } from "../core/kernel/endpoint.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { integer } from "../core/schema/schema.ts";

/** pve-manager `PVE/API2/Cluster.pm`: the members of the cluster. */
export const clusterStatusEndpoints = [
  indexEndpoint("/cluster", "name", [
    "acme",
    "backup",
    "backup-info",
    "bulk-action",
    "ceph",
    "config",
    "firewall",
    "ha",
    "jobs",
    "log",
    "mapping",
    "metrics",
    "notifications",
    "nextid",
    "options",
    "qemu",
    "replication",
    "resources",
    "status",
    "tasks",
    "sdn",
  ]),
  endpoint({
    method: "GET",
    path: "/cluster/status",
    protected: true,
    permissions: { check: ["perm", "/", ["Sys.Audit"]] },
    parameters: {},
    handler: ({ world }) => {
      const nodes = Object.values(world.nodes);
      const members = nodes.map(({ name, id, address, online }) => ({
        type: "node",
        id: `node/${name}`,
        name,
        nodeid: id,
        ip: address,
        local: name === world.cluster.local ? 1 : 0,
        online: online ? 1 : 0,
        level: "",
      }));
      if (world.cluster.name === undefined) {
        // Without corosync a node lists only itself.
        return members.filter(({ local }) => local === 1);
      }
      const quorate = nodes.filter(({ online }) => online).length * 2 > nodes.length ? 1 : 0;
      const { name } = world.cluster;
      return [
        { type: "cluster", id: "cluster", name, nodes: nodes.length, version: nodes.length, quorate },
        ...members,
      ];
    },
  }),
  indexEndpoint("/cluster/bulk-action", "name", ["guest"]),
  endpoint({
    method: "GET",
    path: "/cluster/log",
    permissions: { user: "all" },
    parameters: { max: integer({ optional: true, minimum: 1 }) },
    handler: () => [],
  }),
];
