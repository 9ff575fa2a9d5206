import type { Caller } from "../core/access/caller.ts";
import { die, Failure } from "../core/kernel/failure.ts";
import type { World } from "../core/world/world.ts";
import { findVolumeId } from "./volume-name.ts";
import { describeVolume } from "./volumes.ts";

/**
 * `PVE::Storage::check_volume_access`: checks that the caller may read that volume. `vmid` is the guest that will use
 * it, `content` the expected kind of volume.
 */
export function checkVolumeAccess(
  world: World,
  caller: Caller,
  volid: string,
  { vmid, content }: { readonly vmid?: number | undefined; readonly content?: string } = {},
): void {
  if (findVolumeId(volid) === undefined) {
    if (!caller.isRoot) {
      die("Only root can pass arbitrary filesystem paths. at /usr/share/perl5/PVE/Storage.pm line 651.");
    }
    return;
  }
  const volume = describeVolume(world, volid);
  const path = `/storage/${volume.storage.storage}`;
  // Plugins do not distinguish the two kinds of images.
  if (content !== undefined && volume.content !== content && !(content === "rootdir" && volume.content === "images")) {
    die(`unable to use volume ${volid} - content type needs to be '${content}'`);
  }
  if (caller.has(path, ["Datastore.Allocate"])) {
    return;
  }
  if (volume.content === "iso" || volume.content === "vztmpl" || volume.content === "import") {
    caller.checkAny(path, ["Datastore.AllocateSpace", "Datastore.Audit"]);
  } else if (volume.vmid !== undefined && volume.vmid === vmid) {
    return;
  } else if (volume.content === "backup" && volume.vmid !== undefined) {
    caller.check(path, ["Datastore.AllocateSpace"]);
    caller.check(`/vms/${volume.vmid}`, ["VM.Backup"]);
  } else if (volume.content === "images" && volume.vmid !== undefined) {
    caller.check(path, ["Datastore.Audit"]);
    caller.check(`/vms/${volume.vmid}`, ["VM.Config.Disk"]);
  } else {
    die(`missing privileges to access ${volid}`);
  }
}

export function mayAccessVolume(world: World, caller: Caller, volid: string): boolean {
  try {
    checkVolumeAccess(world, caller, volid);
    return true;
  } catch (thrown) {
    if (thrown instanceof Failure) {
      return false;
    }
    throw thrown;
  }
}
