import type { ClusterCalls, GuestResource, NodeResource, StorageResource } from "../cluster.ts";
import type { ListedContainer, LxcCalls } from "../lxc.ts";
import type { ListedVm, QemuCalls } from "../qemu.ts";

/** As PVE calls VMs and containers in its lists and paths. */
export type GuestType = GuestResource["type"];

type Listed = Pick<ListedVm & ListedContainer, "vmid" | "name" | "status" | "template">;

/** All resources of the cluster that the caller may see, read once. */
export interface ClusterSnapshot {
  readonly takenAt: number;
  /** VMs and containers: both use VMIDs. */
  readonly guests: ReadonlyMap<number, GuestResource>;
  readonly nodes: ReadonlyMap<string, NodeResource>;
  readonly storages: readonly StorageResource[];
  readonly pools: readonly string[];
  /**
   * Whether the node can be reached. Only `offline` means that it cannot; `unknown` means that its statistics are
   * missing while the node itself responds: pvestatd hangs, or the node has just booted (pve-manager: PVE/API2Tools.pm,
   * `extract_node_stats`).
   */
  isOnline(node: string): boolean;
}

/** A VM as it is now: its node from the cluster, its name from the node. */
export interface InventoryGuest {
  readonly vmid: number;
  readonly node: string;
  readonly name: string | undefined;
  readonly status: string;
  readonly isTemplate: boolean;
  readonly tags: readonly string[];
  readonly pool: string | undefined;
  readonly lock: string | undefined;
  /** Its node is offline: name, status and template flag are the last ones that the cluster received. */
  readonly isStale: boolean;
}

/** What was read of the cluster, cached for the whole run and shared by all callers. */
export interface ClusterView {
  snapshot(): Promise<ClusterSnapshot>;
  /** A newer snapshot, unless this one is fresh or another caller has just fetched a new one. */
  newerThan(seen: ClusterSnapshot): Promise<ClusterSnapshot>;
  /** Drops data read before the last change by this process. */
  forgetIfChanged(): void;
  /** Every guest of that type by its VMID, with its live name and status: one call per node that has any. */
  list(type: GuestType): Promise<ReadonlyMap<number, InventoryGuest>>;
  /** A guest's current name, from its own node; undefined if it has none, or its node is offline. */
  nameOf(guest: GuestResource): Promise<string | undefined>;
  forget(): void;
  /** This process has destroyed the guest: nothing else has changed. */
  remove(vmid: number): void;
}

/** Guests that this process destroys are removed from it. */
interface OwnSnapshot extends ClusterSnapshot {
  readonly guests: Map<number, GuestResource>;
}

/** A list that could not be read is not kept. */
const ignore = () => {};

/** A younger snapshot would not show anything new. */
const freshMs = 1000;

export interface ViewParts {
  readonly cluster: ClusterCalls;
  readonly qemu: QemuCalls;
  readonly lxc: LxcCalls;
  /** When this process last changed the cluster, on the clock of `performance.now()`. */
  readonly changedAt: () => number;
  /** Whether cached data outlives changes by this process. */
  readonly keepsData: boolean;
}

export function createClusterView({ cluster, qemu, lxc, changedAt, keepsData }: ViewParts): ClusterView {
  let taken: Promise<ClusterSnapshot> | undefined;
  let current: OwnSnapshot | undefined;
  /** When the oldest of the cached data was requested. */
  let startedAt = Number.POSITIVE_INFINITY;
  const lists = new Map<string, Promise<Map<number, Listed>>>();
  /** Requests without an answer yet. */
  let underWay = 0;
  /** Data derived from the present snapshot and the lists, computed once for all callers. */
  const described = new Map<GuestType, Promise<Map<number, InventoryGuest>>>();

  const forget = () => {
    taken = undefined;
    current = undefined;
    described.clear();
    startedAt = Number.POSITIVE_INFINITY;
    lists.clear();
  };

  const counted = async <T>(request: Promise<T>): Promise<T> => {
    underWay += 1;
    return request.finally(() => {
      underWay -= 1;
    });
  };

  const take = async (): Promise<OwnSnapshot> => {
    try {
      current = await counted(takeSnapshot(cluster));
      return current;
    } catch (reason) {
      taken = undefined; // failures are not cached
      throw reason;
    }
  };

  const forgetIfChanged = () => {
    if (startedAt <= changedAt()) forget();
  };

  const snapshot = (): Promise<ClusterSnapshot> => {
    if (!keepsData) forgetIfChanged();
    if (taken === undefined) {
      startedAt = performance.now();
      taken = take();
    }
    return taken;
  };

  const ask: Record<GuestType, (node: string) => Promise<readonly Listed[]>> = { qemu: qemu.list, lxc: lxc.list };

  const listNode = (type: GuestType, node: string): Promise<Map<number, Listed>> =>
    once(lists, `${type} ${node}`, async () => {
      const guests = await counted(ask[type](node));
      return new Map(guests.map((guest) => [guest.vmid, guest]));
    });

  const describeAll = async (type: GuestType): Promise<Map<number, InventoryGuest>> => {
    const { guests, isOnline } = await snapshot();
    const all = [...guests.values()].filter((guest) => guest.type === type);
    const homes = [...new Set(all.map(({ node }) => node))].filter(isOnline);
    const live = new Map(await Promise.all(homes.map(async (node) => [node, await listNode(type, node)] as const)));
    return new Map(all.map((guest) => [guest.vmid, describe(guest, live.get(guest.node)?.get(guest.vmid))]));
  };

  return {
    snapshot,
    nameOf: async (guest) => {
      const isOnline = (await snapshot()).isOnline(guest.node);
      return isOnline ? (await listNode(guest.type, guest.node)).get(guest.vmid)?.name : guest.name;
    },
    forget,
    remove(vmid) {
      // An answer that is under way may still show it.
      if (underWay > 0) return forget();
      current?.guests.delete(vmid);
      for (const known of [...lists.values(), ...described.values()])
        void known.then((guests) => guests.delete(vmid), ignore);
    },
    forgetIfChanged,
    newerThan(seen) {
      if (seen === current && performance.now() - seen.takenAt > freshMs) forget();
      return snapshot();
    },
    async list(type) {
      await snapshot();
      return once(described, type, () => describeAll(type));
    },
  };
}

/** The promise under that key, made when it is first asked for. Failures are not cached. */
function once<K, T>(cache: Map<K, Promise<T>>, key: K, make: () => Promise<T>): Promise<T> {
  const known = cache.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = make();
  cache.set(key, made);
  made.catch(() => {
    if (cache.get(key) === made) {
      cache.delete(key);
    }
  });
  return made;
}

async function takeSnapshot(cluster: ClusterCalls): Promise<OwnSnapshot> {
  const takenAt = performance.now();
  const resources = await cluster.listResources();
  const guests = resources.filter((entry): entry is GuestResource => entry.type === "qemu" || entry.type === "lxc");
  const members = resources.filter((entry): entry is NodeResource => entry.type === "node");
  const nodes = new Map(members.map((node) => [node.node, node]));
  return {
    takenAt,
    nodes,
    isOnline: (node) => (nodes.get(node)?.status ?? "offline") !== "offline",
    guests: new Map(guests.map((guest) => [guest.vmid, guest])),
    storages: resources.filter((entry): entry is StorageResource => entry.type === "storage"),
    pools: resources.flatMap((entry) =>
      entry.type === "pool" && typeof entry["pool"] === "string" ? [entry["pool"]] : [],
    ),
  };
}

/**
 * PVE's cluster view takes name, status and template flag from a broadcast up to 14 s old; the node's own list is live.
 */
function describe(vm: GuestResource, now: Listed | undefined): InventoryGuest {
  const { vmid, node } = vm;
  return {
    vmid,
    node,
    name: now?.name ?? vm.name,
    status: now?.status ?? vm.status,
    isTemplate: (now === undefined ? vm.template : now.template) ?? false,
    tags: vm.tags ?? [],
    pool: vm.pool,
    lock: vm.lock,
    isStale: now === undefined,
  };
}
