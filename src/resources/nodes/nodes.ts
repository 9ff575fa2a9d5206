import {
  bool,
  defineDataSource,
  found,
  inOrder,
  int,
  isPveError,
  list,
  map,
  nested,
  nullable,
  type Session,
  string,
} from "#kit";
import type { NodeResource } from "#pve";

/** `proxmox_nodes`. Server side: pve-manager `PVE/API2/Cluster.pm`, `resources` and `get_status`. */
export const nodesData = defineDataSource({
  type: "proxmox_nodes",
  subcategory: "Cluster",
  doc: "The nodes of the cluster, where they can be reached, and how large they are. A node without a cluster is a list of one.",
  attributes: {
    online: {
      type: bool(),
      mode: "optional",
      doc: "Only nodes that are online, or only those that are not. Not given: all nodes.",
    },
    cluster_name: found(nullable(string()), "Name of the cluster; null for a node that is in none."),
    names: found(list(string()), "Names of the nodes, in alphabetical order."),
    addresses: found(
      map(string()),
      "IP address of each node by its name: what the name resolves to inside the cluster. Needs `Sys.Audit` on `/`; empty, with a warning, without it.",
    ),
    nodes: found(
      list(
        nested({
          name: found(string(), "Name."),
          online: found(bool(), "Whether it is online. A node whose statistics are missing is online."),
          address: found(nullable(string()), "IP address, as in `addresses`."),
          cpus: found(nullable(int()), "Logical processors. This and what follows needs `Sys.Audit` on the node."),
          memory_bytes: found(nullable(int()), "Memory."),
          memory_used_bytes: found(nullable(int()), "Memory in use when it was last counted; null while offline."),
          uptime_seconds: found(nullable(int()), "Time since it started; null while offline."),
        }),
      ),
      "The nodes, ordered by name.",
    ),
  },

  async read({ api, config, report, signal }) {
    const { nodes, isOnline } = await api.inventory.snapshot();
    const members = await membersOf(api, signal);
    if (members === null) {
      report.warning("addresses", "Addresses of nodes are not shown", `Grant Sys.Audit on \`/\` to ${api.identity}.`);
    }
    const addressOf = (name: string) => members?.find((one) => one.type === "node" && one.name === name)?.ip ?? null;
    const wanted = [...nodes.values()].filter(({ node }) => config.online === null || isOnline(node) === config.online);
    const entries = await Promise.all(
      wanted.map(async (entry) => ({
        name: entry.node,
        online: isOnline(entry.node),
        address: addressOf(entry.node),
        ...(await figuresOf(api, entry, signal)),
      })),
    );
    const listed = inOrder(entries, ({ name }) => [name]);
    return {
      cluster_name: members?.find(({ type }) => type === "cluster")?.name ?? null,
      names: listed.map(({ name }) => name),
      addresses: Object.fromEntries(listed.flatMap(({ name, address }) => (address === null ? [] : [[name, address]]))),
      nodes: listed,
    };
  },
});

/** Null: the caller may not ask. */
function membersOf(api: Session, signal: AbortSignal) {
  return orForbidden(api.cluster.listMembers({ signal }));
}

/** What the node last broadcast or, while its statistics are missing, what it says itself. */
async function figuresOf(api: Session, entry: NodeResource, signal: AbortSignal) {
  const live = entry.status === "unknown" ? await orForbidden(api.nodes.getStatus(entry.node, { signal })) : null;
  return {
    cpus: entry.maxcpu ?? live?.cpuinfo?.cpus ?? null,
    memory_bytes: entry.maxmem ?? live?.memory?.total ?? null,
    memory_used_bytes: entry.mem ?? live?.memory?.used ?? null,
    uptime_seconds: entry.uptime ?? live?.uptime ?? null,
  };
}

async function orForbidden<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (reason) {
    if (isPveError(reason, "permission")) return null;
    throw reason;
  }
}
