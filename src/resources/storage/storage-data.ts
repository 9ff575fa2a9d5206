import { bool, defineDataSource, found, int, map, nested, nodesToAsk, notFound, nullable, set, string } from "#kit";
import type { StorageDefinition } from "#pve";

const shownApart = new Set(["storage", "type", "content", "nodes", "disable", "shared", "digest"]);

/** `proxmox_storage`. Server side: pve-storage `src/PVE/API2/Storage/Config.pm`, `src/PVE/API2/Storage/Status.pm`. */
export const storageData = defineDataSource({
  type: "proxmox_storage",
  subcategory: "Storage",
  doc: "One storage: how the cluster defines it, and how the nodes see it right now. The caller needs `Datastore.Audit` or `Datastore.AllocateSpace` on `/storage/ID`. `proxmox_storages` finds storages by what they can hold.",
  attributes: {
    id: { type: string(), mode: "required", doc: "Name of the storage." },
    node: {
      type: string(),
      mode: "optional",
      doc: "Only this node is asked for `status`. Left out: every node that is online.",
    },
    type: found(string(), "Type of the storage, such as `dir`, `lvmthin`, `zfspool`, `nfs` or `pbs`."),
    content: found(set(string()), "Content that may be kept there, such as `images` or `iso`."),
    nodes: found(nullable(set(string())), "Nodes that have the storage; null for all of them."),
    enabled: found(bool(), "Whether the storage is used."),
    shared: found(bool(), "Whether all its nodes see the same content."),
    options: found(
      map(string()),
      "All other options of the definition, by their names in Proxmox VE, such as `path`, `server`, `vgname` or `prune-backups`. Secrets are not among them.",
    ),
    status: found(
      map(
        nested({
          active: found(bool(), "Whether the node can reach it."),
          total_bytes: found(nullable(int()), "Its size; null if the node cannot tell."),
          used_bytes: found(nullable(int()), "Space in use."),
          free_bytes: found(nullable(int()), "Space left."),
        }),
      ),
      "The storage as each node sees it, by the node's name. A node that does not have it is missing.",
    ),
  },

  async read({ api, config, signal }) {
    const definition = await getDefinition(api.storage, config.id, signal);
    const nodes = await nodesToAsk(api, config.node);
    const seen = await Promise.all(
      nodes.map(async (node) =>
        (await api.storage.listOnNode(node, { storage: config.id }, { signal }))
          .filter(({ enabled = true }) => enabled)
          .map(({ active = false, total = null, used = null, avail = null }) => [
            node,
            { active, total_bytes: total, used_bytes: used, free_bytes: avail },
          ]),
      ),
    );
    return {
      type: definition.type,
      content: definition.content ?? [],
      nodes: definition.nodes ?? null,
      enabled: definition.disable !== true,
      shared: definition.shared ?? false,
      options: optionsOf(definition),
      status: Object.fromEntries(seen.flat()),
    };
  },
});

/** The list needs less than the definition alone. */
async function getDefinition(
  calls: { list(options: object): Promise<StorageDefinition[]> },
  id: string,
  signal: AbortSignal,
): Promise<StorageDefinition> {
  const all = await calls.list({ signal });
  const definition = all.find(({ storage }) => storage === id);
  if (definition !== undefined) return definition;
  throw notFound(
    { kind: "storage", name: id, path: "id" },
    all.map(({ storage }) => storage),
  );
}

function optionsOf(definition: StorageDefinition): Record<string, string> {
  const others = Object.entries(definition).filter(([name]) => !shownApart.has(name));
  return Object.fromEntries(others.map(([name, value]) => [name, textOf(value)]));
}

/** PVE shows `content-dirs` as an object. */
function textOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, member]) => `${key}=${String(member)}`)
    .sort()
    .join(",");
}
