import { defineListResource, string } from "#kit";
import { disk } from "./disk.ts";
import { isOfPve, partsOf } from "./disk-volume.ts";

/** `list "proxmox_disk"` for `terraform query`. */
export const listDisks = defineListResource({
  resource: disk,
  doc: "Volumes whose owner is within `disk_owners` of the provider, to be queried and imported. Storages of nodes that are offline are left out.",
  attributes: {
    storage: { type: string(), mode: "optional", doc: "Only volumes on this storage." },
    node: { type: string(), mode: "optional", doc: "Only volumes that this node can use." },
  },

  async *list({ api, config, signal }) {
    const { storages, isOnline } = await api.inventory.snapshot();
    const { first, last } = api.settings.diskOwners;
    const wanted = storages
      .filter((one) => isOnline(one.node) && (one.content?.includes("images") ?? true) && one.status === "available")
      .filter((one) => (config.storage ?? one.storage) === one.storage && (config.node ?? one.node) === one.node)
      .sort((a, b) => (`${a.storage} ${a.node}` < `${b.storage} ${b.node}` ? -1 : 1));
    const seen = new Set<string>();
    for (const { node, storage, shared } of wanted) {
      if (shared && seen.has(storage)) continue;
      seen.add(storage);
      for (const { volid } of await api.storage.listVolumes(node, storage, { content: "images" }, { signal })) {
        const parts = partsOf(volid);
        if (parts === null || parts.owner < first || parts.owner > last || isOfPve(parts.name)) continue;
        yield { id: { node, volume: volid }, displayName: shared ? volid : `${volid} on ${node}` };
      }
    }
  },
});
