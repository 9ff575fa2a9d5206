import type { Storage, Volume } from "../world/storage.ts";
import type { World } from "../world/world.ts";
import { putFile } from "./volumes.ts";

/** Puts a file in place that a process has written. */
export function putFileChecked(world: World, _storage: Storage, _node: string, volume: Volume): void {
  putFile(world, volume);
}
