import type { Guest } from "../core/world/guest.ts";
import type { World } from "../core/world/world.ts";
import { replicatedVolumes as containerVolumes } from "../lxc/replicated-volumes.ts";
import { replicatedVolumes as vmVolumes } from "../qemu/migration/replicated-volumes.ts";

/** The volumes of a guest that its replication jobs copy. */
export function replicatedVolumes(world: World, guest: Guest): string[] {
  return guest.type === "qemu" ? vmVolumes(world, guest) : containerVolumes(world, guest);
}
