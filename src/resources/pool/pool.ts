import { bpg, defineCrud, type Need, removeAfterOthers, set, string, telmate, userConfigText } from "#kit";
import { planOuterPool } from "./plan-outer-pool.ts";
import { poolName } from "./pool-name.ts";
import { claimAll } from "./pool-owners.ts";
import { type PoolPrivateState, removePool } from "./remove-pool.ts";
import { setStorages, storagesOf } from "./storages.ts";

/** `proxmox_pool`. Server side: pve-manager `PVE/API2/Pool.pm`. */
export const pool = defineCrud({
  type: "proxmox_pool",
  subcategory: "Cluster",
  doc: "A resource pool: VMs and storages on which privileges are granted together. Destroying it removes it if it is empty, and never touches its members.",
  noun: "pool",
  // By parameter: the path form cannot name a pool inside another.
  path: "/pools",
  collection: "/pools",
  file: "user.cfg",
  identity: ["id"],
  put: "blank",
  plannedAs: "pool",
  privateState: { storages: [] } as PoolPrivateState,
  movedFrom: [
    bpg("pool", { id: "pool_id", comment: "comment" }),
    telmate("pool", { id: "poolid", comment: "comment" }),
  ],
  attributes: {
    id: {
      type: poolName,
      mode: "required",
      wire: "poolid",
      doc: "Name of the pool, such as `prod`. A pool inside another is named by both: `prod/web`, at most three levels deep; the outer one must exist. Another name is another pool.",
    },
    comment: {
      type: userConfigText(1024),
      mode: "optional",
      wire: "comment",
      doc: "What the pool is for, shown beside it. Left out: none.",
    },
    storages: {
      type: set(string()),
      mode: "optional_computed",
      keep: true,
      // A `proxmox_pool_member` of the same apply may join before the pool is read.
      volatile: true,
      wire: "storage",
      as: { parse: (storages: unknown) => storages },
      absent: [],
      refers: "storage",
      doc: "Storages that belong to the pool: these and no others. A role on the pool is a role on them. Left out: they stay as they are, and `[]` removes all. VMs join by the `pool` attribute of `proxmox_vm`; this resource does not manage them.",
    },
  },

  needs: storageNeeds,
  grants: { "/pool": ["Pool.Audit"], "/storage": ["Datastore.Allocate"] },
  async plan(context, api) {
    const { id, storages } = context.config;
    if (id !== undefined && storages !== null) claimAll(api, context.report, id);
    await planOuterPool(context, api);
  },
  written: (api) => api.inventory.forget(),
  async find(api, { poolid = "" }, { signal }) {
    const found = await api.pools.find(poolid, { signal });
    return found && { comment: found.comment, storage: storagesOf(found) };
  },
  async settle({ api, id, desired, privateState, signal }) {
    if (desired.storages === undefined) return;
    privateState.storages = desired.storages;
    await setStorages(api, id.id, [], desired.storages, signal);
  },
  async changed({ api, id, desired, changes, privateState, signal }) {
    if (!changes.has("storages") || desired.storages === undefined) return;
    privateState.storages = desired.storages;
    await setStorages(api, id.id, storagesOf(await api.pools.get(id.id, { signal })), desired.storages, signal);
  },
  /** Only an empty pool can go. What was put into it by this resource is taken out first; the rest stays. */
  delete: (context, remove) => removeAfterOthers(context, () => removePool(context, remove)),
});

type Members = Readonly<Record<string, unknown>>;

/** A storage that joins or leaves a pool changes what may be done to it (pve-access-control: `check_perm_modify`). */
function storageNeeds({ planned, state }: { readonly planned: Members; readonly state: Members | null }): Need[] {
  const [before, after] = [state, planned].map((values) => (values?.["storages"] ?? []) as readonly string[]);
  if (before === undefined || after === undefined || planned["storages"] === undefined) return [];
  const moved = [
    ...after.filter((storage) => storage !== undefined && !before.includes(storage)),
    ...before.filter((storage) => !after.includes(storage)),
  ];
  const privileges = ["Datastore.Allocate", "Permissions.Modify"];
  return moved.map((storage) => ({ privileges, paths: [`/storage/${storage}`], attribute: "storages" }));
}
