import type { ClusterCalls, GuestResource, NodeResource, StorageResource } from "../cluster.ts";
import type { ListedContainer, LxcCalls } from "../lxc.ts";
import type { ListedVm, QemuCalls } from "../qemu.ts";

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
export interface InventoryVm {
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
  /** Every VM with its live name and status: one call per node that has VMs. */
  listVms(): Promise<readonly InventoryVm[]>;
  /** A guest's current name, from its own node; undefined if it has none, or its node is offline. */
  nameOf(guest: GuestResource): Promise<string | undefined>;
  forget(): void;
}

/** A younger snapshot would not show anything new. */
const freshMs = 1000;

export interface ViewParts {
  readonly cluster: ClusterCalls;
  readonly qemu: QemuCalls;
  readonly lxc: LxcCalls;
  /** When this process last changed the cluster, on the clock of `performance.now()`. */
  readonly changedAt: () => number;
}

export function createClusterView({ cluster, qemu, lxc, changedAt }: ViewParts): ClusterView {
  let taken: Promise<ClusterSnapshot> | undefined;
  let current: ClusterSnapshot | undefined;
  /** When the oldest of the cached data was requested. */
  let startedAt = Number.POSITIVE_INFINITY;
  const lists = new Map<string, Promise<ReadonlyMap<number, ListedVm>>>();
  /** Data derived from a snapshot and the lists, computed once for all callers. */
  let described: { readonly of: ClusterSnapshot; readonly vms: Promise<readonly InventoryVm[]> } | undefined;

  const forget = () => {
    taken = undefined;
    current = undefined;
    described = undefined;
    startedAt = Number.POSITIVE_INFINITY;
    lists.clear();
  };

  const take = async (): Promise<ClusterSnapshot> => {
    try {
      current = await takeSnapshot(cluster);
      return current;
    } catch (reason) {
      taken = undefined; // failures are not cached
      throw reason;
    }
  };

  const snapshot = (): Promise<ClusterSnapshot> => {
    if (taken === undefined) {
      startedAt = performance.now();
      taken = take();
    }
    return taken;
  };

  const listNode = (node: string): Promise<ReadonlyMap<number, ListedVm>> => {
    const list =
      lists.get(node) ??
      qemu.list(node).then(
        (vms) => new Map(vms.map((vm) => [vm.vmid, vm])),
        (reason: unknown) => {
          lists.delete(node);
          throw reason;
        },
      );
    lists.set(node, list);
    return list;
  };

  const describeAll = async ({ guests, isOnline }: ClusterSnapshot): Promise<readonly InventoryVm[]> => {
    const vms = [...guests.values()].filter(({ type }) => type === "qemu");
    const homes = [...new Set(vms.map(({ node }) => node))].filter(isOnline);
    const live = new Map(await Promise.all(homes.map(async (node) => [node, await listNode(node)] as const)));
    return vms.map((vm) => describe(vm, live.get(vm.node)?.get(vm.vmid)));
  };

  return {
    snapshot,
    nameOf: async (guest) => {
      const isOnline = (await snapshot()).isOnline(guest.node);
      return isOnline
        ? nameAmong(guest, guest.type === "lxc" ? await lxc.list(guest.node) : await listNode(guest.node))
        : guest.name;
    },
    forget,
    forgetIfChanged() {
      if (startedAt <= changedAt()) forget();
    },
    newerThan(seen) {
      if (seen === current && performance.now() - seen.takenAt > freshMs) forget();
      return snapshot();
    },
    async listVms() {
      const of = await snapshot();
      if (described?.of !== of) {
        const vms = describeAll(of);
        described = { of, vms };
        vms.catch(() => {
          if (described?.vms === vms) described = undefined; // failures are not cached
        });
      }
      return described.vms;
    },
  };
}

type Listed = readonly ListedContainer[] | ReadonlyMap<number, ListedVm>;

function nameAmong({ vmid }: GuestResource, listed: Listed): string | undefined {
  return [...listed.values()].find((guest) => guest.vmid === vmid)?.name;
}

async function takeSnapshot(cluster: ClusterCalls): Promise<ClusterSnapshot> {
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
function describe(vm: GuestResource, now: ListedVm | undefined): InventoryVm {
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
