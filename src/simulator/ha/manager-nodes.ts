import type { World } from "../core/world/world.ts";

/**
 * The nodes that the HA manager watches. A standalone node has no manager here: guests cannot move anywhere, and its
 * resources stay queued, as on a node whose HA daemons do not run.
 */
export function managedNodes(world: World): string[] {
  const names = Object.keys(world.nodes);
  return names.length > 1 ? names.sort() : [];
}
