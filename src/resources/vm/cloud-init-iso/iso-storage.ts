import type { Session } from "#kit";

/** Storages on a node that can hold ISO images. A shared one comes first: a local image ties the VM to its node. */
export async function isoStorages(api: Session, node: string): Promise<string[]> {
  const { storages } = await api.inventory.snapshot();
  const usable = storages.filter(
    (entry) => entry.node === node && entry.status === "available" && entry.content?.includes("iso"),
  );
  const rank = (isShared: boolean | undefined) => (isShared ? 0 : 1);
  return usable
    .sort((a, b) => rank(a.shared) - rank(b.shared) || a.storage.localeCompare(b.storage))
    .map(({ storage }) => storage);
}
