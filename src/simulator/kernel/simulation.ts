import type { Caller } from "../access/caller.ts";
import type { World } from "../world/world.ts";
import type { Clock } from "./clock.ts";
import type { LockTable } from "./lock-table.ts";
import type { WorkerBody } from "./process.ts";
import type { Random } from "./random.ts";

/** Everything one running simulator consists of. `world` is plain data and is replaced as a whole by a reset. */
export interface Simulation {
  world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly locks: LockTable;
  /** `Process.worker` is the way in; this one also starts tasks nobody asked for (HA). */
  forkWorker(order: WorkerOrder): string;
}

export interface WorkerOrder {
  readonly node: string;
  readonly caller: Caller;
  readonly type: string;
  readonly id: string;
  readonly body: WorkerBody;
}
