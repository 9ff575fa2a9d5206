import { defineListResource, int, listSnapshots } from "#kit";
import { snapshot } from "./snapshot.ts";

/** `list "proxmox_snapshot"` for `terraform query`. Each guest is asked. */
export const listSnapshotResources = defineListResource({
  resource: snapshot,
  doc: "Snapshots of guests that the caller may see, to be queried and imported. Guests on nodes that are offline are left out.",
  attributes: {
    vmid: {
      type: int(),
      mode: "optional",
      doc: "Only snapshots of this guest. Left out: of every guest, one call for each.",
    },
  },

  async *list({ api, config, signal }) {
    const { guests, isOnline } = await api.inventory.snapshot();
    const wanted = [...guests.values()]
      .filter(({ vmid, node }) => isOnline(node) && (config.vmid === null || vmid === config.vmid))
      .sort((a, b) => a.vmid - b.vmid);
    for (const { vmid, node, type } of wanted) {
      for (const { name } of await listSnapshots(api, { vmid, node, type }, signal)) {
        yield { id: { vmid, name }, displayName: `${name} of ${vmid}` };
      }
    }
  },
});
