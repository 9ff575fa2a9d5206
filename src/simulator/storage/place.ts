import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";

/*
 * Two definitions can name one pool, directory or export: each lists the volumes of both under its own name. A volume is
 * kept under one of the names.
 */

/** What a storage's volumes are on, by type; without the first of these a storage is on a place of its own. */
const placeOptions: Readonly<Record<string, readonly string[]>> = {
  dir: ["path"],
  btrfs: ["path"],
  nfs: ["export", "server"],
  cifs: ["share", "server", "subdir"],
  cephfs: ["fs-name", "monhost", "subdir"],
  lvm: ["vgname"],
  lvmthin: ["thinpool", "vgname"],
  zfspool: ["pool"],
  zfs: ["pool", "portal", "target"],
  rbd: ["pool", "monhost", "namespace"],
  pbs: ["datastore", "server", "port", "namespace"],
  iscsi: ["target", "portal"],
  iscsidirect: ["target", "portal"],
};

export function placeOf({ storage, type, options }: Storage): string {
  const names = placeOptions[type] ?? [];
  const isKnown = names[0] !== undefined && options[names[0]] !== undefined;
  return isKnown ? [type, ...names.map((name) => options[name] ?? "")].join(" ") : `${type} of ${storage}`;
}

/** The names of all storages on the same place, that of the storage itself first; none if there is no such storage. */
export function namesOfPlace(world: World, id: string): string[] {
  const storage = world.storages[id];
  if (storage === undefined) {
    return [];
  }
  const place = placeOf(storage);
  const others = Object.values(world.storages).filter((other) => other !== storage && placeOf(other) === place);
  return [id, ...others.map((other) => other.storage)];
}

/** The definition is removed, the volumes stay: under the name of another storage on that place, or of a later one. */
export function leaveVolumes(world: World, removed: Storage): void {
  const isHere = ({ volid }: Volume) => volid.startsWith(`${removed.storage}:`);
  const place = placeOf(removed);
  const heir = Object.values(world.storages).find((storage) => placeOf(storage) === place);
  const left = world.volumes.filter(isHere);
  world.volumes = world.volumes.filter((volume) => !isHere(volume));
  if (heir !== undefined) {
    world.volumes.push(...left.map((volume) => underName(volume, heir.storage)));
  } else if (left.length > 0) {
    world.lostVolumes[place] = left;
  }
}

/** A new definition of a place that was in use finds the volumes there. */
export function findLeftVolumes(world: World, added: Storage): void {
  const place = placeOf(added);
  world.volumes.push(...(world.lostVolumes[place] ?? []).map((volume) => underName(volume, added.storage)));
  delete world.lostVolumes[place];
}

/** The same volume, as that storage lists it. */
export function underName(volume: Volume, storage: string): Volume {
  return { ...volume, volid: volume.volid.replace(/^[^:]*/, storage) };
}
