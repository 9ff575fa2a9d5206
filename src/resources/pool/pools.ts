import { defineDataSource, found, glob, inOrder, int, list, nested, nullable, string } from "#kit";

/** `proxmox_pools`. Server side: pve-manager `PVE/API2/Pool.pm`, `index`. */
export const poolsData = defineDataSource({
  type: "proxmox_pools",
  subcategory: "Cluster",
  doc: "Resource pools, and the guests in them. Pools on which the caller lacks `Pool.Audit`, and guests on which it lacks `VM.Audit`, are not shown.",
  attributes: {
    id: {
      type: string(),
      mode: "optional",
      doc: "Only pools of this name; `*` and `?` stand for any characters, any one character. A pool inside another is named by both: `prod/web`.",
    },
    ids: found(list(string()), "Names of the pools found, in alphabetical order."),
    pools: found(
      list(
        nested({
          id: found(string(), "Name."),
          comment: found(nullable(string()), "Comment."),
          vmids: found(list(int()), "VMIDs of the VMs and containers in it, in ascending order."),
        }),
      ),
      "The pools, ordered by name.",
    ),
  },

  async read({ api, config, signal }) {
    api.inventory.forgetIfChanged();
    const [listed, { guests }] = await Promise.all([api.pools.list({ signal }), api.inventory.snapshot()]);
    const isWanted = config.id === null ? () => true : glob(config.id);
    const vmidsIn = (id: string) => [...guests.values()].flatMap(({ pool, vmid }) => (pool === id ? [vmid] : []));
    const wanted = listed.filter(({ poolid }) => isWanted(poolid));
    const pools = inOrder(wanted, ({ poolid }) => [poolid]).map(({ poolid, comment = null }) => ({
      id: poolid,
      comment,
      vmids: vmidsIn(poolid).sort((a, b) => a - b),
    }));
    return { ids: pools.map(({ id }) => id), pools };
  },
});
