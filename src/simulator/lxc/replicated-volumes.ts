import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { replicated } from "../guests/replicated-volumes.ts";
import { mountsOf, mountType, parseMount } from "./mounts.ts";
import { isUnusedKey } from "./options.ts";

/** `get_replicatable_volumes` of pve-container `src/PVE/LXC/Config.pm`. */
export function replicatedVolumes(world: World, { vmid, config }: Guest): string[] {
  const mounted = mountsOf(config)
    .map(([, mount]) => mount)
    .filter((mount) => mount["replicate"] !== "0" && (mountType(mount) === "volume" || mount["shared"] !== "1"));
  const unused = Object.keys(config)
    .filter(isUnusedKey)
    .map((key) => parseMount(key, config[key] ?? ""));
  return replicated(
    world,
    vmid,
    [...mounted, ...unused].map(({ volume }) => volume),
  );
}
