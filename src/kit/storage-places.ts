import type { StorageResource } from "#pve";
import type { Session } from "./session.ts";

/** The nodes that have the storage. One that the last snapshot did not show may have been created since. */
export async function storagePlaces(api: Session, storage: string): Promise<StorageResource[]> {
  const find = async () => (await api.inventory.snapshot()).storages.filter((one) => one.storage === storage);
  const places = await find();
  if (places.length > 0) return places;
  api.inventory.forget();
  return find();
}

/** Whether every node that has the storage sees the same content. */
export async function isSharedStorage(api: Session, storage: string): Promise<boolean> {
  return (await storagePlaces(api, storage)).some(({ shared }) => shared === true);
}
