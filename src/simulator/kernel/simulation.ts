import type { World } from "../world/world.ts";
import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Everything one running simulator consists of. `world` is plain data and is replaced as a whole by a reset. */
export interface Simulation {
  world: World;
  readonly clock: Clock;
  readonly random: Random;
}
