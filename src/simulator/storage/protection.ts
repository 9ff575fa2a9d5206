import type { Caller } from "../core/access/caller.ts";
import { die } from "../core/kernel/failure.ts";
import type { Storage, Volume } from "../core/world/storage.ts";
import type { World } from "../core/world/world.ts";
import { volumesOn } from "./volumes.ts";

/** `get_max_protected_backups` of pve-storage `src/PVE/Storage.pm`: -1 for no limit. */
function maxProtected(caller: Caller, { storage, options }: Storage): number {
  const configured = options["max-protected-backups"];
  if (configured !== undefined) {
    return Number(configured);
  }
  return caller.has(`/storage/${storage}`, ["Datastore.Allocate"]) ? -1 : 5;
}

/** A guest's backups of one kind on a storage. */
export function backupsOf(world: World, storage: string, node: string, vmid: number, type: string): Volume[] {
  return volumesOn(world, storage, node, vmid).filter(
    ({ content, volid }) => content === "backup" && volid.includes(`vzdump-${type}-`),
  );
}

/** Dies if another protected backup would exceed the limit. */
export function checkProtectionLimit(caller: Caller, storage: Storage, backups: readonly Volume[]): void {
  const most = maxProtected(caller, storage);
  const held = backups.filter((volume) => volume.protected).length;
  if (most > -1 && held >= most) {
    die(`The number of protected backups per guest is limited to ${most} on storage '${storage.storage}'`);
  }
}
