import type { Caller } from "../access/caller.ts";
import type { TicketOffice } from "../access/tickets.ts";
import type { World } from "../world/world.ts";
import type { Clock } from "./clock.ts";
import type { LockTable } from "./lock-table.ts";
import type { WorkerBody } from "./process.ts";
import type { Random } from "./random.ts";
import type { Statistics } from "./statistics.ts";

/** Everything one running simulator consists of. `world` is plain data and is replaced as a whole by a reset. */
export interface Simulation {
  world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly locks: LockTable;
  readonly workers: WorkerPool;
  /** Survives a reset, as the keys of a cluster do. */
  readonly tickets: TicketOffice;
  /** What each node last told the others: `/cluster/resources` lives on it. */
  readonly statistics: Statistics;
}

export interface WorkerPool {
  /** Starts a task and returns its UPID; `Process.worker` is the usual way in. */
  fork(order: WorkerOrder): string;
  isRunning(upid: string): boolean;
  /** SIGTERM, and SIGKILL after 5 s. */
  stop(upid: string): Promise<void>;
}

export interface WorkerOrder {
  readonly node: string;
  readonly caller: Caller;
  readonly type: string;
  readonly id: string;
  readonly body: WorkerBody;
}
