import type { ClusterSnapshot, StorageResource } from "#pve";
import type { Session } from "./session.ts";

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
  return api.store.of(seen).remember(`active storages of ${node}`, async () => {
    const storages = await api.storage.listOnNode(node);
    return new Set(storages.filter((one) => one.active).map(({ storage }) => storage));
  });
}
