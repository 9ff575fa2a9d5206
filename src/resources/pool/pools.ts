import { defineDataSource, found, glob, int, list, nested, nullable, string } from "#kit";
import { forgetBefore } from "../vm/data/current-vms.ts";

/** `proxmox_pools`. Server side: pve-manager `PVE/API2/Pool.pm`, `index`. */
export const poolsData = defineDataSource({
  type: "proxmox_pools",
  doc: "Resource pools, and the guests in them. Pools on which the caller lacks `Pool.Audit`, and guests on which it lacks `VM.Audit`, are not shown.",
  attributes: {
    name: {
      type: string(),
      mode: "optional",
      doc: "Only pools of this name; `*` and `?` stand for any characters, any one character. A pool in another has the other's name before its own: `prod/web`.",
    },
    names: found(list(string()), "Names of the pools found, in alphabetical order."),
    pools: found(
      list(
        nested({
          name: found(string(), "Name."),
          comment: found(nullable(string()), "Comment."),
          vmids: found(list(int()), "VMIDs of the VMs and containers in it, in ascending order."),
        }),
      ),
      "The pools, ordered by name.",
    ),
  },

  async read({ api, config, signal }) {
    forgetBefore(api);
    const [listed, { guests }] = await Promise.all([api.pools.list({ signal }), api.inventory.snapshot()]);
    const isWanted = config.name === null ? () => true : glob(config.name);
    const membersOf = (name: string) => [...guests.values()].filter(({ pool }) => pool === name);
    const pools = listed
      .filter(({ poolid }) => isWanted(poolid))
      .map(({ poolid, comment = null }) => ({
        name: poolid,
        comment,
        vmids: membersOf(poolid)
          .map(({ vmid }) => vmid)
          .sort((a, b) => a - b),
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    return { names: pools.map(({ name }) => name), pools };
  },
});
