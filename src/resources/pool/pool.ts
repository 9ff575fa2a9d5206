import {
  alreadyExists,
  checkPrivileges,
  createOnce,
  type DeleteContext,
  defineResource,
  enumerate,
  Failure,
  type Need,
  type PlanContext,
  type Report,
  removeAfterOthers,
  type Session,
  set,
  string,
  userConfigText,
} from "#kit";
import type { Pool } from "#pve";

const part = "[A-Za-z][A-Za-z0-9._-]*";
const shape = new RegExp(`^${part}(?:/${part}){0,2}$`);

const attributes = {
  id: {
    type: string({
      check: (id) =>
        shape.test(id)
          ? undefined
          : "Must be a name of letters, digits, `.`, `-` and `_` that begins with a letter. A pool inside another is named by both, `outer/inner`, three levels deep at most.",
    }),
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
    wire: "storage",
    doc: "Storages that belong to the pool: these and no others. Whoever has a role on the pool has it on them. Left out: they stay as they are, and `[]` takes out all. VMs join by the `pool` attribute of `proxmox_vm` and are none of this resource's business.",
  },
} as const;

interface PoolPrivateState {
  /** Storages that were configured when it was last applied: those were put here by us. */
  storages: readonly string[];
}

/** `proxmox_pool`. Server side: pve-manager `PVE/API2/Pool.pm`. */
export const pool = defineResource({
  type: "proxmox_pool",
  doc: "A resource pool: VMs and storages that rights are granted on together. Destroying it takes it away if it is empty, and never touches its members.",
  attributes,
  identity: ["id"],
  privateState: { storages: [] } as PoolPrivateState,
  label: ({ id }) => (id ? `pool "${id}"` : "pool"),

  async plan(context) {
    const { api } = context;
    if (api) await planPool(context, api);
  },

  async planDelete(context) {
    const { api, id, report } = context;
    if (api) await checkPrivileges({ report, api, needs: [allocate(id.id)] });
  },

  async create({ api, desired, signal }) {
    const { id, comment } = desired;
    await createOnce({
      api,
      signal,
      find: () => api.pools.find(id, { signal }),
      make: () => api.pools.create(id, comment === null ? {} : { comment }, { signal }),
      exists: poolExists(id),
      path: "id",
    });
    api.inventory.forget();
    return { id };
  },

  async settle({ api, id, desired, privateState, signal }) {
    if (desired.storages === undefined) return;
    privateState.storages = desired.storages;
    await setStorages(api, id.id, [], desired.storages, signal);
  },

  async read({ api, id, signal }) {
    const found = await api.pools.find(id.id, { signal });
    if (found === null) return null;
    api.managed.add("proxmox_pool", id.id);
    return { id: id.id, comment: found.comment || null, storages: storagesOf(found) };
  },

  async update({ api, id, desired, changes, privateState, signal }) {
    if (changes.has("comment")) await api.pools.update(id.id, { comment: desired.comment ?? "" }, { signal });
    if (changes.has("storages") && desired.storages !== undefined) {
      privateState.storages = desired.storages;
      const found = await api.pools.get(id.id, { signal });
      await setStorages(api, id.id, storagesOf(found), desired.storages, signal);
    }
  },

  /** Only an empty pool can go. What we put into it ourselves is taken out first; anything else is not ours to move. */
  async delete(context) {
    await removeAfterOthers(context, () => removePool(context));
  },
});

type PoolDelete = DeleteContext<typeof attributes, "id", PoolPrivateState, Session>;

/** VMs and pools inside may be going in the same run. The refusal is returned. */
async function removePool({ api, id, privateState, signal }: PoolDelete): Promise<Failure | null> {
  const found = await api.pools.find(id.id, { signal });
  if (found === null) return null;
  const own = privateState.storages;
  const inside = (await api.pools.list({ signal })).map(({ poolid }) => poolid);
  const strangers = [
    ...found.members.flatMap(({ type, vmid }) =>
      vmid === undefined ? [] : [`${type === "lxc" ? "container" : "VM"} ${vmid}`],
    ),
    ...storagesOf(found).flatMap((storage) => (own.includes(storage) ? [] : [`storage \`${storage}\``])),
    ...inside.flatMap((other) => (other.startsWith(`${id.id}/`) ? [`pool \`${other}\``] : [])),
  ];
  if (strangers.length > 0) {
    return new Failure(
      `Pool "${id.id}" is not empty`,
      `It contains ${strangers.join(", ")}. Nothing was changed. Take them out of the pool, or move them to another one, then destroy it.`,
    );
  }
  await setStorages(api, id.id, storagesOf(found), [], signal);
  await api.pools.remove(id.id, { signal });
  api.inventory.forget();
  return null;
}

const poolExists = (id: string) =>
  alreadyExists({ type: "proxmox_pool", id, label: `Pool "${id}"`, otherwise: "Otherwise choose another `id`." });

const storagesOf = ({ members }: Pool): string[] => members.flatMap(({ storage }) => storage ?? []);

/** PVE adds members or takes them out, each in a call of its own, and refuses to add what is there. */
async function setStorages(
  api: Session,
  poolid: string,
  before: readonly string[],
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const added = wanted.filter((storage) => !before.includes(storage));
  const gone = before.filter((storage) => !wanted.includes(storage));
  if (added.length > 0) await api.pools.update(poolid, { storage: added }, { signal });
  if (gone.length > 0) await api.pools.update(poolid, { storage: gone, delete: true }, { signal });
}

type PoolPlan = PlanContext<typeof attributes, PoolPrivateState, Session>;

async function planPool(context: PoolPlan, api: Session): Promise<void> {
  const { config, prior, report, changes } = context;
  const { id } = config;
  if (prior !== null) api.managed.add("proxmox_pool", prior.id);
  if (prior === null && id !== undefined) {
    await guardName(report, api, id);
    api.planned.add("pool", id);
  }
  await checkStorages(context, api);
  if (changes.size === 0 || id === undefined) return;
  await checkPrivileges({ report, api, needs: [allocate(id), ...storageNeeds(context)] });
}

async function guardName(report: Report<"id">, api: Session, id: string): Promise<void> {
  const isThere = async (poolid: string) => (await api.pools.find(poolid)) !== null;
  const outer = id.slice(0, Math.max(0, id.lastIndexOf("/")));
  if (outer !== "" && !api.planned.has("pool", outer) && !(await isThere(outer))) {
    report.error(
      "id",
      "No such pool",
      `There is no pool \`${outer}\` for \`${id}\` to be in. Make that one first, and refer to it: "\${proxmox_pool.NAME.id}/…".`,
    );
  }
  if (api.managed.has("proxmox_pool", id) || !(await isThere(id))) return;
  const { summary, detail } = poolExists(id);
  report.error("id", summary, detail);
}

/** Whoever may not see a storage cannot tell that it is missing. */
async function checkStorages({ config, prior, report }: PoolPlan, api: Session): Promise<void> {
  const added = (config.storages ?? []).filter(
    (storage) => storage !== undefined && !prior?.storages?.includes(storage),
  );
  if (added.length === 0) return;
  const { storages } = await api.inventory.snapshot();
  const there = new Set(storages.map(({ storage }) => storage));
  const missing = added.filter((name) => name && !there.has(name) && !api.planned.has("storage", name));
  if (missing.length === 0) return;
  report.error(
    "storages",
    "No such storage",
    `There is no storage ${enumerate(missing.map(String))}, or you may not see it. There is ${enumerate(there)}.`,
  );
}

const allocate = (id: string): Need => ({ privileges: ["Pool.Allocate"], paths: [`/pool/${id}`], attribute: null });

/** Who moves something into a pool changes what may be done to it (pve-access-control: `check_perm_modify`). */
function storageNeeds({ planned, prior, changes }: PoolPlan): Need[] {
  if (!changes.has("storages")) return [];
  const [before, after] = [prior?.storages ?? [], planned.storages ?? []];
  const moved = [
    ...after.filter((storage) => storage !== undefined && !before.includes(storage)),
    ...before.filter((storage) => !after.includes(storage)),
  ];
  return moved.map((storage) => ({
    privileges: ["Datastore.Allocate", "Permissions.Modify"],
    paths: [`/storage/${storage}`],
    attribute: "storages",
  }));
}
