import type { ClusterCalls, GuestResource, NodeResource, StorageResource } from "../cluster.ts";
import type { ListedContainer, LxcCalls } from "../lxc.ts";
import type { ListedVm, QemuCalls } from "../qemu.ts";

/** Everything the caller may see of the cluster, read once. */
export interface ClusterSnapshot {
  readonly takenAt: number;
  /** VMs and containers: both take VMIDs. */
  readonly guests: ReadonlyMap<number, GuestResource>;
  readonly nodes: ReadonlyMap<string, NodeResource>;
  readonly storages: readonly StorageResource[];
  readonly pools: readonly string[];
  /**
   * Whether the node can be asked. Only `offline` says that it cannot; `unknown` says that its statistics are missing
   * while the node itself answers: pvestatd hangs, or the node has just booted (pve-manager: PVE/API2Tools.pm,
   * `extract_node_stats`).
   */
  isOnline(node: string): boolean;
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
  /** Its node is offline: name, status and template flag are what the cluster heard last. */
  readonly isStale: boolean;
}

/** What was read of the cluster, kept for the whole run and shared by everybody who asks. */
export interface ClusterView {
  snapshot(): Promise<ClusterSnapshot>;
  /** A newer one than that, unless it is fresh already or somebody has just fetched another. */
  newerThan(seen: ClusterSnapshot): Promise<ClusterSnapshot>;
  /** Drops what was read before the last change this process made. */
  forgetIfChanged(): void;
  /** Every VM with its live name and status: one call per node that has any. */
  listVms(): Promise<readonly InventoryVm[]>;
  /** The name a guest has now, asked of its own node; undefined if it has none, or its node is offline. */
  nameOf(guest: GuestResource): Promise<string | undefined>;
  forget(): void;
}

/** A snapshot younger than this would show nothing new. */
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
  /** When the oldest of what is kept was asked for. */
  let startedAt = Number.POSITIVE_INFINITY;
  const lists = new Map<string, Promise<ReadonlyMap<number, ListedVm>>>();
  /** What follows from a snapshot and the lists, made once for the thousand who ask. */
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
      taken = undefined; // a failure is not worth keeping
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
          if (described?.vms === vms) described = undefined; // a failure is not worth keeping
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

/** PVE's cluster view has name, status and template flag from a broadcast of up to 14 s ago; the node's own list is live. */
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
