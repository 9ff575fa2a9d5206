import { isPveError, oncePerRun, type Session } from "#kit";
import type { ConfigObject, PendingObject } from "#pve";
import { listPending } from "./list-pending.ts";

/** An object of the SDN, with its change that waits for a commit if there is one. */
export interface Pending {
  readonly type: string;
  readonly id: string;
  readonly one: PendingObject;
}

/** Collections that are read elsewhere, or hold nothing that waits for a commit. */
const known = new Set([
  ...["zones", "vnets", "controllers", "fabrics", "prefix-lists", "route-maps"],
  ...["ipams", "dns", "dry-run", "lock", "rollback"],
]);

/** Collections of this host that the provider does not know. A caller who may not see their names sees none. */
const unknownCollections = oncePerRun(async (api: Session): Promise<string[]> => {
  const listed = await api.sdn.listCollections().catch((reason: unknown) => {
    if (isPveError(reason, "permission", "invalid")) return [];
    throw reason;
  });
  return listed.map(({ id }) => id).filter((id) => !known.has(id));
});

/** A collection that the host may be too old for; it is asked for once. */
async function listIfPresent(api: Session, collection: string, isPlan: boolean): Promise<readonly PendingObject[]> {
  const absent = api.store.keep("absent SDN collections", () => new Set<string>());
  if (absent.has(collection)) return [];
  try {
    return await (isPlan ? listPending(api, collection) : api.sdn.listPending(collection, {}));
  } catch (reason) {
    if (!isPveError(reason, "invalid", "permission", "malformed", "not_found")) throw reason;
    absent.add(collection);
    return [];
  }
}

/** Prefix lists, route maps, and what later versions of Proxmox VE stage for a commit. */
export async function laterObjects(api: Session, isPlan: boolean): Promise<Pending[]> {
  const [lists, entries, further] = await Promise.all([
    listIfPresent(api, "/cluster/sdn/prefix-lists", isPlan),
    listIfPresent(api, "/cluster/sdn/route-maps/entries", isPlan),
    unknownCollections(api),
  ]);
  const unknown = await Promise.all(
    further.map(async (name) =>
      (await listIfPresent(api, `/cluster/sdn/${name}`, isPlan)).map((one) => ({
        type: `proxmox_sdn_${name.replaceAll("-", "_")}`,
        id: nameOf(name, one),
        one,
      })),
    ),
  );
  return [
    ...lists.map((one) => ({ type: "proxmox_sdn_prefix_list", id: idOf(one, "id"), one })),
    ...entries.map((one) => ({
      type: "proxmox_sdn_route_map_entry",
      id: `${idOf(one, "route-map-id")}/${idOf(one, "order")}`,
      one,
    })),
    ...unknown.flat(),
  ];
}

const valuesOf = (one: PendingObject): ConfigObject => ({ ...one, ...one.pending });
const idOf = (one: PendingObject, name: string): string => String(valuesOf(one)[name]);

/** An object of an unknown kind is named by `id`, or by the singular of its collection. */
function nameOf(collection: string, one: PendingObject): string {
  const values = valuesOf(one);
  const texts = Object.entries(values).filter(([name, value]) => typeof value === "string" && name !== "type");
  return String(values["id"] ?? values[collection.replace(/s$/, "")] ?? texts[0]?.[1] ?? "?");
}
