import type { Caller } from "../access/caller.ts";
import type { TicketStore } from "../access/tickets.ts";
import type { Storage } from "../world/storage.ts";
import type { World } from "../world/world.ts";
import type { CallLog } from "./call-log.ts";
import type { Clock } from "./clock.ts";
import type { Endpoint } from "./endpoint.ts";
import type { LockTable } from "./lock-table.ts";
import type { Process, WorkerBody } from "./process.ts";
import type { Random } from "./random.ts";
import type { Router } from "./router.ts";
import type { Statistics } from "./statistics.ts";

/** Everything one running simulator consists of. `world` is plain data and is replaced as a whole by a reset. */
export interface Simulation {
  world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly locks: LockTable;
  readonly workers: WorkerPool;
  /** Survives a reset, as the keys of a cluster do. */
  readonly tickets: TicketStore;
  readonly faults: FaultBox;
  /** Every call, by endpoint, for tests and benchmarks. */
  readonly log: CallLog;
  /** What each node last told the others: `/cluster/resources` lives on it. */
  readonly statistics: Statistics;
  /** The API of the release that is simulated. */
  readonly router: Router;
  /** pveproxy of the node that answers; a simulator without a port has no connections to lose. */
  proxy: { restart(): void };
}

/** What the proxy answers instead, or that it resets the connection. */
export type CallFault = { readonly status: number; readonly reason: string } | "reset";

export interface TaskFault {
  /** Additional seconds. */
  delay?: number;
  failure?: string;
  /** The failure comes after the work. */
  after?: boolean;
}

/** A privilege that does not count any more on a path and below. */
export interface Revocation {
  readonly privilege: string;
  /** A user or token; everybody if undefined. */
  readonly userid: string | undefined;
  readonly path: string;
}

/** Faults that were ordered, where the code asks for them. */
export interface FaultBox {
  onCall(endpoint: Endpoint, moment: "before" | "after", answer?: unknown): CallFault | undefined;
  onTask(order: Pick<WorkerOrder, "type" | "id" | "node">): TaskFault;
  /** Fails if the host cannot start a worker (pve-common: src/PVE/RESTEnvironment.pm, `fork_worker`). */
  onFork(order: Pick<WorkerOrder, "type" | "id" | "node">): void;
  /** Fails if the storage is to refuse deletions. */
  onDelete(process: Process, storage: Storage, volume: string): Promise<void>;
  /** Seconds by which task lists are behind. */
  readonly taskListLag: number;
  readonly revoked: readonly Revocation[];
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
