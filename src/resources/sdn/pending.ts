import { isPveError, oncePerRun, type Session } from "#kit";
import type { CallOptions, ConfigObject, PendingObject } from "#pve";

/** A change of the SDN that waits for a commit. */
export interface PendingChange {
  /** `proxmox_sdn_vnet web` */
  readonly key: string;
  readonly state: "new" | "changed" | "deleted";
}

interface Collection {
  readonly type: string;
  readonly collection: string;
  id(one: ConfigObject): string;
}

const collections: readonly Collection[] = [
  { type: "proxmox_sdn_zone", collection: "/cluster/sdn/zones", id: ({ zone }) => String(zone) },
  { type: "proxmox_sdn_vnet", collection: "/cluster/sdn/vnets", id: ({ vnet }) => String(vnet) },
  {
    type: "proxmox_sdn_controller",
    collection: "/cluster/sdn/controllers",
    id: ({ controller }) => String(controller),
  },
];

const subnets = "/cluster/sdn/vnets/{vnet}/subnets";

/** The object as it is edited, with `state` while it waits for a commit; null if it was removed. */
export function editedObject({ pending, state, digest: _, ...running }: PendingObject): ConfigObject | null {
  if (state === "deleted") return null;
  const edited = Object.entries({ ...running, ...pending }).filter(([, value]) => value !== "deleted");
  return { ...Object.fromEntries(edited), ...(state && { state }) };
}

export const editedObjects = (listed: readonly PendingObject[]): ConfigObject[] =>
  listed.map(editedObject).filter((one) => one !== null);

/** One list for all objects that a run reads; a write forgets it. `question` is how the generic part calls it. */
export function listPending(api: Session, collection: string, places: Readonly<Record<string, string>> = {}) {
  const given = Object.fromEntries(Object.entries(places).filter(([place]) => collection.includes(`{${place}}`)));
  const question = collection.replace(/\{([^}]+)\}/g, (_, place: string) => given[place] ?? "");
  return api.store.remember(question, () => api.sdn.listPending(collection, given));
}

/** Subnets of a vnet; null if the vnet is not listed. Of a vnet whose removal is staged, PVE lists none: it refuses the call. */
export async function listSubnets(api: Session, vnet: string): Promise<readonly PendingObject[] | null> {
  const found = (await listPending(api, "/cluster/sdn/vnets")).find((one) => one["vnet"] === vnet);
  if (found === undefined) return null;
  return found.state === "deleted" ? [] : listPending(api, subnets, { vnet }).catch(noneIfMissing);
}

/** The same without what the run has read before; none of a vnet that another client has just removed. */
export const readSubnets = (api: Session, vnet: string, options?: CallOptions): Promise<PendingObject[]> =>
  api.sdn.listPending(subnets, { vnet }, options).catch(noneIfMissing);

/** What holds the list may be created by the same run, or be gone since it was seen. */
export function noneIfMissing(reason: unknown): never[] {
  if (isPveError(reason, "not_found")) return [];
  throw reason;
}

/** Fabrics and their nodes as a plan sees them; a write forgets them. */
export const fabricsOf = oncePerRun((api) => api.sdn.listFabrics());

/** Every change that waits, of this run or of other clients; a plan may look at what the run has read before. */
export async function pendingChanges(api: Session, { isPlan = false } = {}): Promise<PendingChange[]> {
  const listed = await Promise.all(
    collections.map(async ({ type, collection, id }) => {
      const all = await (isPlan ? listPending(api, collection) : api.sdn.listPending(collection, {}));
      return { all, changes: all.flatMap((one) => changeOf(one, `${type} ${id({ ...one, ...one.pending })}`)) };
    }),
  );
  const vnets = (listed[1]?.all ?? []).filter(({ state }) => state !== "deleted").map(({ vnet }) => String(vnet));
  const inVnets = await Promise.all(
    vnets.map(async (vnet) => {
      const all = (await (isPlan ? listSubnets(api, vnet) : readSubnets(api, vnet))) ?? [];
      return all.flatMap((one) => changeOf(one, `proxmox_sdn_subnet ${vnet}/${one["cidr"]}`));
    }),
  );
  const { fabrics, nodes } = await (isPlan ? fabricsOf(api) : api.sdn.listFabrics());
  const fabricChanges = [
    ...fabrics.flatMap((one) => changeOf(one, `proxmox_sdn_fabric ${{ ...one, ...one.pending }["id"]}`)),
    ...nodes.flatMap((one) => {
      const { fabric_id: fabric, node_id: node } = { ...one, ...one.pending } as Record<string, unknown>;
      return changeOf(one, `proxmox_sdn_fabric_node ${fabric}/${node}`);
    }),
  ];
  return [...listed.flatMap(({ changes }) => changes), ...inVnets.flat(), ...fabricChanges];
}

const changeOf = ({ state }: PendingObject, key: string): PendingChange[] => (state ? [{ key, state }] : []);

/** `vnet web (new), zone lab (changed)` */
export const describeChanges = (changes: readonly PendingChange[]): string =>
  changes
    .map(({ key, state }) => `${key.replace(/^proxmox_sdn_/, "").replaceAll("_", " ")} (${state})`)
    .sort()
    .join(", ");
