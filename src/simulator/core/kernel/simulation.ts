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
import type { Untidiness } from "./untidiness.ts";

/** All parts of one running simulator. `world` is plain data; a reset replaces it as a whole. */
export interface Simulation {
  world: World;
  readonly clock: Clock;
  readonly random: Random;
  readonly locks: LockTable;
  readonly workers: WorkerPool;
  /** Is kept on a reset, like the keys of a cluster. */
  readonly tickets: TicketStore;
  readonly faults: FaultBox;
  /** Every call, by endpoint, for tests and benchmarks. */
  readonly log: CallLog;
  /** The last broadcast of each node, from which `/cluster/resources` is answered. */
  readonly statistics: Statistics;
  /** The API of the release that is simulated. */
  readonly router: Router;
  /** The order of every answer; undefined if all are tidy. */
  readonly untidiness: Untidiness | undefined;
  /** pveproxy of the node that answers; a simulator without a port has no connections to lose. */
  proxy: { restart(): void };
}

/** The answer of the proxy instead, or a reset of the connection. */
export type CallFault = { readonly status: number; readonly reason: string } | "reset";

export interface TaskFault {
  /** Additional seconds. */
  delay?: number;
  failure?: string;
  /** The task fails after its work is done. */
  after?: boolean;
}

/** A privilege that is revoked on a path and below. */
export interface Revocation {
  readonly privilege: string;
  /** A user or token; all users if undefined. */
  readonly userid: string | undefined;
  readonly path: string;
}

/** Ordered faults, at the places where they take effect. */
export interface FaultBox {
  onCall(endpoint: Endpoint, moment: "before" | "after", answer?: unknown): CallFault | undefined;
  onTask(order: Pick<WorkerOrder, "type" | "id" | "node">): TaskFault;
  /** Fails if the host cannot start a worker (pve-common: src/PVE/RESTEnvironment.pm, `fork_worker`). */
  onFork(order: Pick<WorkerOrder, "type" | "id" | "node">): void;
  /** Fails if the storage has to refuse deletions. */
  onDelete(process: Process, storage: Storage, volume: string): Promise<void>;
  /** Seconds by which task lists lag behind. */
  readonly taskListLag: number;
  /** Seconds by which the lists of a storage's files lag behind. */
  fileListLag(storage: string): number;
  readonly revoked: readonly Revocation[];
}

export interface WorkerPool {
  /** Starts a task and returns its UPID; usually called through `Process.worker`. */
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
  /** What the worker removes when it fails, if the call made it. */
  readonly abandon?: (() => void) | undefined;
}
