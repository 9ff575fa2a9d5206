import type { Caller } from "../access/caller.ts";
import type { Lock, LockOptions } from "./locks.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Code that runs on one node on behalf of a caller: a request in the API daemon or a forked worker. Work that PVE does
 * in both places (`PUT` and `POST` of a config) takes a `Process`.
 */
export interface Process {
  readonly sim: Simulation;
  /** The node the code runs on. */
  readonly node: string;
  readonly caller: Caller;

  /** A line on standard output: the task log in a worker, nowhere in a request. */
  print(line: string): void;
  /** PVE::RESTEnvironment::log_warn: a `WARN:` line that also makes the task end with `WARNINGS: n`. */
  warn(text: string): void;
  /**
   * Waits for that many simulated seconds. Stopping the task interrupts the wait, unless the code ignores SIGTERM at
   * this point; it is then killed after 5 s and ends as `unexpected status`.
   */
  sleep(seconds: number, deaf?: "uninterruptible"): Promise<void>;
  /** Runs `body` under a lock; reentrant within one process. Throws PVE's text if the lock is not free in time. */
  lock<T>(lock: Lock, options: LockOptions, body: () => T | Promise<T>): Promise<T>;
  /** `fork_worker`: starts a task on behalf of the caller and returns its UPID. */
  worker(type: string, id: string, body: WorkerBody, abandon?: () => void): string;
}

export type WorkerBody = (task: Task) => void | Promise<void>;

export interface Task extends Process {
  readonly upid: string;
}
