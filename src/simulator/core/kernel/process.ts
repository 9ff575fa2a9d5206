import type { Caller } from "../access/caller.ts";
import type { Lock, LockOptions } from "./locks.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Code that runs on one node in somebody's name: a request in the API daemon or a forked worker. Work that PVE does in
 * either place (`PUT` and `POST` of a config) takes a `Process`.
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
   * Waits for that many simulated seconds. Somebody who stops the task interrupts it here, unless the code would not
   * listen to SIGTERM there; it is then killed after 5 s and ends as `unexpected status`.
   */
  sleep(seconds: number, deaf?: "uninterruptible"): Promise<void>;
  /** Runs `body` under a lock; reentrant within one process. Throws PVE's text when the lock is not had in time. */
  lock<T>(lock: Lock, options: LockOptions, body: () => T | Promise<T>): Promise<T>;
  /** `fork_worker`: starts a task in the caller's name and returns its UPID. */
  worker(type: string, id: string, body: WorkerBody): string;
}

export type WorkerBody = (task: Task) => void | Promise<void>;

export interface Task extends Process {
  readonly upid: string;
}
