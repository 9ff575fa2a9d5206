import type { ClusterCalls, GuestResource, NodeResource, StorageResource } from "../cluster.ts";
import type { ListedVm, QemuCalls } from "../qemu.ts";

/** Everything the caller may see of the cluster, read once. */
export interface ClusterSnapshot {
  readonly takenAt: number;
  /** VMs and containers: both take VMIDs. */
  readonly guests: ReadonlyMap<number, GuestResource>;
  readonly nodes: ReadonlyMap<string, NodeResource>;
  readonly storages: readonly StorageResource[];
  readonly pools: readonly string[];
}

/** A VM as it is now: where it is from the cluster, what it is called from its own node. */
export interface InventoryVm {
  readonly vmid: number;
  readonly node: string;
  readonly name: string | undefined;
  readonly status: string;
  readonly isTemplate: boolean;
  readonly tags: readonly string[];
  readonly pool: string | undefined;
  readonly lock: string | undefined;
  /** Its node does not answer: name, status and template flag are what the cluster heard last. */
  readonly isStale: boolean;
}

/** What was read of the cluster, kept for the whole run and shared by everybody who asks. */
export interface ClusterView {
  snapshot(): Promise<ClusterSnapshot>;
  /** A newer one than that, unless it is fresh already or somebody has just fetched another. */
  newerThan(seen: ClusterSnapshot): Promise<ClusterSnapshot>;
  /** Every VM with its live name and status: one call per node that has any. */
  listVms(): Promise<readonly InventoryVm[]>;
  forget(): void;
}

/** A snapshot younger than this would show nothing new. */
const freshMs = 1000;

export function createClusterView(cluster: ClusterCalls, qemu: QemuCalls): ClusterView {
  let taken: Promise<ClusterSnapshot> | undefined;
  let current: ClusterSnapshot | undefined;
  const lists = new Map<string, Promise<readonly ListedVm[]>>();

  const forget = () => {
    taken = undefined;
    current = undefined;
    lists.clear();
  };

  const take = async (): Promise<ClusterSnapshot> => {
    try {
      current = await takeSnapshot(cluster);
      return current;
    } catch (reason) {
      taken = undefined; // a failure is not worth keeping
      throw reason;
    }
  };

  const snapshot = (): Promise<ClusterSnapshot> => {
    taken ??= take();
    return taken;
  };

  const listNode = (node: string): Promise<readonly ListedVm[]> => {
    const list =
      lists.get(node) ??
      qemu.list(node).catch((reason: unknown) => {
        lists.delete(node);
        throw reason;
      });
    lists.set(node, list);
    return list;
  };

  return {
    snapshot,
    forget,
    newerThan(seen) {
      if (seen === current && performance.now() - seen.takenAt > freshMs) {
        forget();
      }
      return snapshot();
    },
    async listVms() {
      const { guests, nodes } = await snapshot();
      const vms = [...guests.values()].filter(({ type }) => type === "qemu");
      const homes = [...new Set(vms.map(({ node }) => node))].filter((node) => nodes.get(node)?.status === "online");
      const live = new Map(await Promise.all(homes.map(async (node) => [node, await listNode(node)] as const)));
      return vms.map((vm) => describe(vm, live.get(vm.node)));
    },
  };
}

async function takeSnapshot(cluster: ClusterCalls): Promise<ClusterSnapshot> {
  const takenAt = performance.now();
  const resources = await cluster.listResources();
  const guests = resources.filter((entry): entry is GuestResource => entry.type === "qemu" || entry.type === "lxc");
  const nodes = resources.filter((entry): entry is NodeResource => entry.type === "node");
  return {
    takenAt,
    guests: new Map(guests.map((guest) => [guest.vmid, guest])),
    nodes: new Map(nodes.map((node) => [node.node, node])),
    storages: resources.filter((entry): entry is StorageResource => entry.type === "storage"),
    pools: resources.flatMap((entry) =>
      entry.type === "pool" && typeof entry["pool"] === "string" ? [entry["pool"]] : [],
    ),
  };
}

/** PVE's cluster view has name, status and template flag from a broadcast of up to 14 s ago; the node's own list is live. */
function describe(vm: GuestResource, live: readonly ListedVm[] | undefined): InventoryVm {
  const now = live?.find(({ vmid }) => vmid === vm.vmid);
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
