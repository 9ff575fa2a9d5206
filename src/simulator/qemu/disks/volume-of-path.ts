import type { Storage } from "../../core/world/storage.ts";
import type { World } from "../../core/world/world.ts";
import { contentDirectory, parseVolumeId, parseVolumeName, volumePath } from "../../storage/volume-name.ts";
import { volumesIn } from "../../storage/volumes.ts";

interface FoundVolume {
  readonly content: string;
  readonly volid: string;
}

const fileContents = ["iso", "vztmpl", "backup", "snippets", "import"] as const;

/** Images must exist; for a file of another kind the right name is enough. */
function volumeIn(world: World, storage: Storage, path: string): FoundVolume | undefined {
  const prefix = `${storage.storage}:`;
  const image = volumesIn(world, storage.storage).find(
    ({ volid }) => volumePath(storage, parseVolumeId(volid).volname) === path,
  );
  if (image !== undefined) {
    return { content: parseVolumeName(storage, parseVolumeId(image.volid).volname).content, volid: image.volid };
  }
  for (const content of fileContents) {
    const directory = contentDirectory(storage, content);
    const volname = `${content}/${path.slice(directory.length + 1)}`;
    if (path.startsWith(`${directory}/`) && isName(storage, volname)) {
      return { content, volid: `${prefix}${volname}` };
    }
  }
  return undefined;
}

function isName(storage: Storage, volname: string): boolean {
  try {
    parseVolumeName(storage, volname);
    return true;
  } catch {
    return false;
  }
}

/** `path_to_volume_id` of pve-storage `src/PVE/Storage.pm`: the volume of a file on the host. */
export function volumeOfPath(world: World, path: string): FoundVolume | undefined {
  for (const storage of Object.values(world.storages).filter(({ options }) => options["path"] !== undefined)) {
    const found = volumeIn(world, storage, path);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
