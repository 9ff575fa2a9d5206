import type { StorageDefinition } from "#pve";
import type { Session } from "./session.ts";

/** What the volumes of a storage are on, by its type (pve-storage: src/PVE/Storage/*Plugin.pm). */
const placeOptions: Readonly<Record<string, readonly string[]>> = {
  dir: ["path"],
  btrfs: ["path"],
  nfs: ["server", "export"],
  cifs: ["server", "share", "subdir"],
  cephfs: ["monhost", "fs-name", "subdir"],
  lvm: ["vgname"],
  lvmthin: ["vgname", "thinpool"],
  zfspool: ["pool"],
  zfs: ["portal", "target", "pool"],
  rbd: ["monhost", "pool", "namespace"],
};

function placeOf({ storage, type, ...options }: StorageDefinition): string {
  const names = placeOptions[type];
  if (names === undefined) return `${type} of ${storage}`;
  return JSON.stringify([type, ...names.map((name) => (options as Record<string, unknown>)[name] ?? null)]);
}

/**
 * Whether two storages are on one pool, path or export: each lists the volumes of the other under its own name, and PVE removes a
 * volume under either. Storages that the caller does not see are on places of their own.
 */
export async function placesOfStorages(api: Session): Promise<(one: string, other: string) => boolean> {
  const definitions = await api.store.remember("/storage", () => api.storage.list());
  const places = new Map(definitions.map((definition) => [definition.storage, placeOf(definition)]));
  return (one, other) => one === other || (places.has(one) && places.get(one) === places.get(other));
}
