import { die } from "../core/kernel/failure.ts";
import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { mountsOf, mountType, parseMount } from "../lxc/mounts.ts";
import { isUnusedKey } from "../lxc/options.ts";
import { drivesOf, isCdrom } from "../qemu/config/drive.ts";
import { getStorage, isShared } from "../storage/storages.ts";
import { findVolumeId } from "../storage/volume-name.ts";
import { describeVolume, hasFeature } from "../storage/volumes.ts";

interface Candidate {
  readonly volume: string;
  readonly isReplicated: boolean;
}

function candidates({ type, config }: Guest): Candidate[] {
  if (type === "qemu") {
    return drivesOf(config)
      .filter(([, drive]) => !isCdrom(drive))
      .map(([, drive]) => ({ volume: drive.file, isReplicated: drive["replicate"] !== "0" }));
  }
  const mounted = mountsOf(config).map(([, mount]) => ({
    volume: mount.volume,
    isReplicated: mount["replicate"] !== "0" && (mountType(mount) === "volume" || mount["shared"] !== "1"),
  }));
  const unused = Object.keys(config)
    .filter(isUnusedKey)
    .map((key) => ({ volume: parseMount(key, config[key] ?? "").volume, isReplicated: true }));
  return [...mounted, ...unused];
}

/** `get_replicatable_volumes` of qemu-server `src/PVE/QemuConfig.pm` and pve-container `src/PVE/LXC/Config.pm`. */
export function replicatableVolumes(world: World, guest: Guest): string[] {
  return candidates(guest)
    .filter(({ volume, isReplicated }) => {
      if (!isReplicated) {
        return false;
      }
      const storage = findVolumeId(volume)?.storage;
      if (storage === undefined) {
        die(`unable to replicate local file/device '${volume}'`);
      }
      if (isShared(getStorage(world, storage)) || describeVolume(world, volume).vmid !== guest.vmid) {
        return false;
      }
      if (!hasFeature(world, "replicate", volume)) {
        die(`missing replicate feature on volume '${volume}'`);
      }
      return true;
    })
    .map(({ volume }) => volume);
}
