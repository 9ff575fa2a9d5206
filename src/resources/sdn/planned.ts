import type { Session } from "#kit";
import { listPending } from "./list-pending.ts";
import { editedObjects, listSubnets } from "./pending.ts";

/** An object as PVE would show it; it exists, or this plan creates or changes it. */
type Seen = Readonly<Record<string, unknown>>;

/** Objects of one collection: those that exist, overlaid with those that this run has planned. */
export interface Overlay {
  /** What the plan in progress will make of the object. */
  plan(api: Session, id: string, object: Seen): void;
  all(api: Session): Promise<ReadonlyMap<string, Seen>>;
}

function overlay(collection: string, id: string): Overlay {
  const plannedIn = (api: Session) => api.store.keep(`planned ${collection}`, () => new Map<string, Seen>());
  return {
    plan: (api, name, object) => void plannedIn(api).set(name, object),
    async all(api) {
      const listed = editedObjects(await listPending(api, collection));
      return new Map([...listed.map((one): [string, Seen] => [String(one[id]), one]), ...plannedIn(api)]);
    },
  };
}

export const zones = overlay("/cluster/sdn/zones", "zone");
export const vnets = overlay("/cluster/sdn/vnets", "vnet");

const plannedSubnets = (api: Session) => api.store.keep("planned subnets", () => new Map<string, Set<string>>());

/** The networks of a vnet: those that exist, and those that this run creates. */
export const subnets = {
  plan(api: Session, vnet: string, cidr: string): void {
    const all = plannedSubnets(api);
    all.set(vnet, (all.get(vnet) ?? new Set()).add(cidr));
  },
  async of(api: Session, vnet: string): Promise<ReadonlySet<string>> {
    const listed = editedObjects((await listSubnets(api, vnet)) ?? []);
    return new Set([...listed.map(({ cidr }) => String(cidr)), ...(plannedSubnets(api).get(vnet) ?? [])]);
  },
};
