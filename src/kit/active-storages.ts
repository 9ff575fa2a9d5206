import type { ClusterSnapshot, StorageResource } from "#pve";
import type { Session } from "./session.ts";

/** What the nodes themselves said, for as long as the look at the cluster is good. */
const said = new WeakMap<ClusterSnapshot, Map<string, Promise<ReadonlySet<string>>>>();

/**
 * Of the storages wanted, those their nodes can use now. `available` is what a node broadcast of late; any other storage
 * may be inactive, or its node's statistics are missing, and the node itself is asked which.
 */
export async function activeStorages(
  api: Session,
  isWanted: (entry: StorageResource) => boolean,
): Promise<StorageResource[]> {
  const seen = await api.inventory.snapshot();
  const wanted = seen.storages.filter((entry) => isWanted(entry) && seen.isOnline(entry.node));
  const areActive = await Promise.all(
    wanted.map(
      async ({ node, storage, status }) => status === "available" || (await activeOn(api, seen, node)).has(storage),
    ),
  );
  return wanted.filter((_, index) => areActive[index]);
}

function activeOn(api: Session, seen: ClusterSnapshot, node: string): Promise<ReadonlySet<string>> {
  const byNode = said.get(seen) ?? new Map<string, Promise<ReadonlySet<string>>>();
  said.set(seen, byNode);
  const active =
    byNode.get(node) ??
    api.storage.listOnNode(node).then(
      (storages) => new Set(storages.filter((one) => one.active).map(({ storage }) => storage)),
      (reason: unknown) => {
        byNode.delete(node);
        throw reason;
      },
    );
  byNode.set(node, active);
  return active;
}
