import { isDeepStrictEqual } from "node:util";
import { isPveError, oncePerRun, type Session } from "#kit";
import type { CallOptions, ConfigObject, PendingObject } from "#pve";
import { laterObjects, type Pending } from "./later-collections.ts";
import { listPending } from "./list-pending.ts";

/** A change of the SDN that waits for a commit. */
export interface PendingChange {
  /** `proxmox_sdn_vnet web` */
  readonly key: string;
  readonly state: "new" | "changed" | "deleted";
  /** Of a removal: keys of the objects that could not be removed before this one. */
  readonly within: readonly string[];
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

/** Keys of the objects that cannot be removed before an object with these members, by PVE's names or by those of a state. */
export function withinOf(type: string, one: Readonly<Record<string, unknown>>): readonly string[] {
  const member = (value: unknown, name: string) => (value as Readonly<Record<string, unknown>> | null)?.[name];
  const found: Readonly<Record<string, readonly (readonly [string, unknown])[]>> = {
    proxmox_sdn_vnet: [["zone", one["zone"]]],
    proxmox_sdn_subnet: [["vnet", one["vnet"]]],
    proxmox_sdn_fabric_node: [["fabric", one["fabric"] ?? one["fabric_id"]]],
    proxmox_sdn_zone: [
      ["controller", one["controller"] ?? member(one["evpn"], "controller")],
      ["fabric", one["fabric"] ?? member(one["vxlan"], "fabric")],
    ],
    proxmox_sdn_controller: [["fabric", one["fabric"] ?? member(one["evpn"], "fabric")]],
    proxmox_sdn_fabric: [["prefix_list", one["route_filter"]]],
  };
  return (found[type] ?? []).flatMap(([kind, id]) => (typeof id === "string" ? [`proxmox_sdn_${kind} ${id}`] : []));
}

/** Every change that waits, of this run or of other clients; a plan may look at what the run has read before. */
export async function pendingChanges(api: Session, { isPlan = false } = {}): Promise<PendingChange[]> {
  return (await pendingObjects(api, isPlan)).flatMap(({ type, id, one }) =>
    one.state && isChange(one) ? [{ key: `${type} ${id}`, state: one.state, within: withinOf(type, one) }] : [],
  );
}

/** The same text as long as no client stages or commits a change. */
export const fingerprintOf = async (api: Session): Promise<string> =>
  JSON.stringify((await pendingObjects(api, false)).map(({ type, id, one }) => [type, id, one]));

async function pendingObjects(api: Session, isPlan: boolean): Promise<Pending[]> {
  const listed = await Promise.all(
    collections.map(async ({ type, collection, id }) => {
      const all = await (isPlan ? listPending(api, collection) : api.sdn.listPending(collection, {}));
      return all.map((one) => ({ type, id: id({ ...one, ...one.pending }), one }));
    }),
  );
  const vnets = (listed[1] ?? []).filter(({ one }) => one.state !== "deleted").map(({ one }) => String(one["vnet"]));
  const inVnets = await Promise.all(
    vnets.map(async (vnet) => {
      const all = (await (isPlan ? listSubnets(api, vnet) : readSubnets(api, vnet))) ?? [];
      return all.map((one) => ({ type: "proxmox_sdn_subnet", id: `${vnet}/${one["cidr"]}`, one: { ...one, vnet } }));
    }),
  );
  const { fabrics, nodes } = await (isPlan ? fabricsOf(api) : api.sdn.listFabrics());
  const inFabrics = [
    ...fabrics.map((one) => ({ type: "proxmox_sdn_fabric", id: String({ ...one, ...one.pending }["id"]), one })),
    ...nodes.map((one) => {
      const { fabric_id: fabric, node_id: node } = { ...one, ...one.pending } as Record<string, unknown>;
      return { type: "proxmox_sdn_fabric_node", id: `${fabric}/${node}`, one };
    }),
  ];
  return [...listed.flat(), ...inVnets.flat(), ...inFabrics, ...(await laterObjects(api, isPlan))];
}

/** PVE compares some lists by their place in memory: an object may count as changed although every value is what it was. */
function isChange({ state, pending, ...running }: PendingObject): boolean {
  if (state !== "changed") return Boolean(state);
  const changed = Object.entries(pending ?? {});
  return changed.length === 0 || changed.some(([name, value]) => !isDeepStrictEqual(value, running[name]));
}

/** `vnet web (new), zone lab (changed)` */
export const describeChanges = (changes: readonly Pick<PendingChange, "key" | "state">[]): string =>
  changes
    .map(({ key, state }) => `${key.replace(/^proxmox_sdn_/, "").replaceAll("_", " ")} (${state})`)
    .sort()
    .join(", ");
