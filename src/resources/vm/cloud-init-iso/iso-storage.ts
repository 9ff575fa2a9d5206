import { activeStorages, type Session } from "#kit";

/** Storages on a node that can hold ISO images. A shared one comes first: a local image ties the VM to its node. */
export async function isoStorages(api: Session, node: string): Promise<string[]> {
  const usable = await activeStorages(api, (entry) => entry.node === node && entry.content?.includes("iso") === true);
  const rank = (isShared: boolean | undefined) => (isShared ? 0 : 1);
  return usable
    .sort((a, b) => rank(a.shared) - rank(b.shared) || a.storage.localeCompare(b.storage))
    .map(({ storage }) => storage);
}
