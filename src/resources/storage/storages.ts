import {
  bool,
  defineDataSource,
  found,
  inOrder,
  int,
  list,
  map,
  nested,
  nodesToAsk,
  nullable,
  set,
  string,
} from "#kit";
import { storageContent } from "./storage-content.ts";

/** `proxmox_storages`. Server side: pve-storage `src/PVE/API2/Storage/Status.pm`. */
export const storagesData = defineDataSource({
  type: "proxmox_storages",
  subcategory: "Storage",
  doc: "Storages as the nodes see them right now, with the space that is left. Those on which the caller has neither `Datastore.Audit` nor `Datastore.AllocateSpace` are not shown, and nodes that are offline cannot be asked.",
  attributes: {
    node: { type: string(), mode: "optional", doc: "Only what this node sees. Not given: every node that is online." },
    content: { type: storageContent, mode: "optional", doc: "Only storages that may hold this kind of content." },
    enabled: {
      type: bool(),
      mode: "optional",
      doc: "Only storages that are enabled on the node, or only those that are not.",
    },
    names: found(list(string()), "Names of the storages found, each once, in alphabetical order."),
    nodes: found(map(list(string())), "Nodes on which each storage was found, by its name."),
    storages: found(
      list(
        nested({
          name: found(string(), "Name."),
          node: found(string(), "Node that sees it so. A shared storage is listed once for each node."),
          type: found(string(), "Kind of storage, such as `dir`, `lvmthin`, `zfspool`, `nfs`, `rbd`."),
          content: found(set(string()), "Kinds of content it may hold, such as `images` or `iso`."),
          shared: found(bool(), "Whether all its nodes see the same content."),
          enabled: found(bool(), "Whether it is switched on, and not restricted to other nodes."),
          active: found(bool(), "Whether the node can reach it."),
          total_bytes: found(nullable(int()), "Its size; null when the node cannot tell."),
          used_bytes: found(nullable(int()), "Space in use."),
          free_bytes: found(nullable(int()), "Space left."),
        }),
      ),
      "The storages, ordered by name, then by node.",
    ),
  },

  async read({ api, config, signal }) {
    const nodes = await nodesToAsk(api, config.node);
    const seen = await Promise.all(
      nodes.map(async (node) => (await api.storage.listOnNode(node, {}, { signal })).map((one) => ({ ...one, node }))),
    );
    const entries = seen
      .flat()
      .filter(({ content }) => config.content === null || content.includes(config.content))
      .filter(({ enabled = true }) => config.enabled === null || enabled === config.enabled)
      .map((one) => ({
        name: one.storage,
        node: one.node,
        type: one.type,
        content: one.content,
        shared: one.shared ?? false,
        enabled: one.enabled ?? true,
        active: one.active ?? false,
        total_bytes: one.total ?? null,
        used_bytes: one.used ?? null,
        free_bytes: one.avail ?? null,
      }));
    const storages = inOrder(entries, ({ name, node }) => [name, node]);
    const names = [...new Set(storages.map(({ name }) => name))];
    const nodesOf = (wanted: string) => storages.filter(({ name }) => name === wanted).map(({ node }) => node);
    return { names, nodes: Object.fromEntries(names.map((name) => [name, nodesOf(name)])), storages };
  },
});
