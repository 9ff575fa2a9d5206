import { type Call, endpoint } from "../core/kernel/endpoint.ts";
import { die, raise } from "../core/kernel/failure.ts";
import { indexEndpoint } from "../core/kernel/index-endpoint.ts";
import { nodeFormat } from "../core/schema/formats.ts";
import { addressFormat, ipFormat } from "../core/schema/network-formats.ts";
import { propertyFormat } from "../core/schema/property-string.ts";
import { boolean, indexed, integer, optional, string } from "../core/schema/schema.ts";
import { node } from "../core/schema/standard-options.ts";
import type { World } from "../core/world/world.ts";

const mayRead = { check: ["perm", "/", ["Sys.Audit"]] } as const;

const link = propertyFormat({
  address: string({ format: addressFormat, default_key: true }),
  priority: integer({ optional: true, minimum: 0, maximum: 255 }),
});
const links = indexed("link", 8, string({ optional: true, format: link }));

/** Corosync's list of nodes; a standalone node has none. */
function members({ cluster, nodes }: World) {
  const all = cluster.name === undefined ? [] : Object.values(nodes);
  return all.map(({ name, id, address }) => ({
    node: name,
    name,
    nodeid: String(id),
    quorum_votes: "1",
    ring0_addr: address,
  }));
}

function totem({ cluster, nodes }: World) {
  return cluster.name === undefined
    ? null
    : {
        version: "2",
        cluster_name: cluster.name,
        config_version: String(Object.keys(nodes).length),
        interface: { 0: { linknumber: "0" } },
        ip_version: "ipv4-6",
        link_mode: "passive",
        secauth: "on",
      };
}

function joinInformation({ world, params }: Call<{ node?: string | undefined }>) {
  if (world.cluster.name === undefined) {
    return raise(424, "node is not in a cluster, no join info available!");
  }
  return {
    nodelist: members(world).map((member) => ({ ...member, pve_addr: member.ring0_addr, pve_fp: fingerprint })),
    preferred_node: params.node ?? world.cluster.local,
    totem: totem(world),
    config_digest: "0".repeat(40),
  };
}

const fingerprint = Array.from({ length: 32 }, () => "00").join(":");
const oneProcess = "the seed defines the nodes of the cluster: the simulator cannot add or join nodes";

/** pve-cluster `src/PVE/API2/ClusterConfig.pm`. The seed defines the nodes. */
export const clusterConfigEndpoints = [
  indexEndpoint("/cluster/config", "name", ["nodes", "totem", "join", "qdevice", "apiversion"], {
    permissions: mayRead,
  }),
  endpoint({
    method: "POST",
    path: "/cluster/config",
    protected: true,
    parameters: {
      ...links,
      clustername: string({ format: nodeFormat, maxLength: 15 }),
      nodeid: integer({ optional: true, minimum: 1 }),
      votes: integer({ optional: true, minimum: 1 }),
      "token-coefficient": integer({ optional: true, minimum: 0 }),
    },
    handler: (call) =>
      call.worker("clustercreate", call.params.clustername, () => {
        const { world, params } = call;
        if (world.cluster.name !== undefined) {
          die("cluster config '/etc/pve/corosync.conf' already exists");
        }
        world.cluster.name = params.clustername;
      }),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/config/apiversion",
    permissions: mayRead,
    parameters: {},
    handler: () => "1",
  }),
  endpoint({
    method: "GET",
    path: "/cluster/config/join",
    permissions: mayRead,
    parameters: { node: optional(node) },
    handler: joinInformation,
  }),
  endpoint({
    method: "POST",
    path: "/cluster/config/join",
    protected: true,
    parameters: {
      ...links,
      fingerprint: string({ pattern: "([A-Fa-f0-9]{2}:){31}[A-Fa-f0-9]{2}" }),
      force: boolean({ optional: true }),
      hostname: string(),
      nodeid: integer({ optional: true, minimum: 1 }),
      password: string({ maxLength: 128 }),
      votes: integer({ optional: true, minimum: 0 }),
    },
    handler: (call) => call.worker("clusterjoin", "", () => die(oneProcess)),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/config/nodes",
    permissions: mayRead,
    parameters: {},
    handler: ({ world }) => members(world),
  }),
  endpoint({
    method: "POST",
    path: "/cluster/config/nodes/{node}",
    protected: true,
    parameters: {
      ...links,
      node,
      apiversion: integer({ optional: true }),
      force: boolean({ optional: true }),
      new_node_ip: string({ optional: true, format: ipFormat }),
      nodeid: integer({ optional: true, minimum: 1 }),
      votes: integer({ optional: true, minimum: 0 }),
    },
    handler: () => die(oneProcess),
  }),
  endpoint({
    method: "DELETE",
    path: "/cluster/config/nodes/{node}",
    protected: true,
    parameters: { node },
    handler: ({ world, params }) => {
      if (!members(world).some(({ name }) => name === params.node)) {
        die(`Node/IP: ${params.node} is not a known host of the cluster.`);
      }
      if (params.node === world.cluster.local) {
        die("Cannot delete myself from cluster!");
      }
      delete world.nodes[params.node];
      return null;
    },
  }),
  endpoint({
    method: "GET",
    path: "/cluster/config/qdevice",
    protected: true,
    permissions: mayRead,
    parameters: {},
    handler: () => ({}),
  }),
  endpoint({
    method: "GET",
    path: "/cluster/config/totem",
    permissions: mayRead,
    parameters: {},
    handler: ({ world }) => totem(world),
  }),
];
