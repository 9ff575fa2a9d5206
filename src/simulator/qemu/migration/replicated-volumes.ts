import type { Guest } from "../../core/world/guest.ts";
import type { World } from "../../core/world/world.ts";
import { replicated } from "../../guests/replicated-volumes.ts";
import { drivesOf, isCdrom } from "../config/drive.ts";

/** `get_replicatable_volumes` of qemu-server `src/PVE/QemuConfig.pm`. */
export function replicatedVolumes(world: World, { vmid, config }: Guest): string[] {
  const drives = drivesOf(config).filter(([, drive]) => !isCdrom(drive) && drive["replicate"] !== "0");
  return replicated(
    world,
    vmid,
    drives.map(([, { file }]) => file),
  );
}
