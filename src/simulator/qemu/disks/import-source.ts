import { die } from "../../core/kernel/failure.ts";
import type { World } from "../../core/world/world.ts";
import type { VolumeName } from "../../storage/volume-name.ts";
import { describeVolume } from "../../storage/volumes.ts";

const imageFormats = /^(?:raw|qcow|qcow2|qed|vmdk|cloop)$/;

/** `checked_parse_volname` in qemu-server `src/PVE/QemuServer/Drive.pm`: a volume that QEMU can read as an image. */
export function describeImage(world: World, volid: string): ReturnType<typeof describeVolume> {
  const volume = describeVolume(world, volid);
  const packed = /^ova\+(.*)$/.exec(volume.format)?.[1];
  if (volume.content === "import" && packed !== undefined) {
    return imageFormats.test(packed) ? volume : die(`volume '${volid}' - unknown import format '${volume.format}'`);
  }
  return imageFormats.test(volume.format) || volume.content === "iso"
    ? volume
    : die(`volume '${volid}' - not a QEMU image format '${volume.format}'`);
}

/** A disk in an OVA must be extracted before it can be read. */
export function needsExtraction({ content, format }: VolumeName): boolean {
  return content === "import" && format.startsWith("ova+");
}
