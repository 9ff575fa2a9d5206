import { setImmediate } from "node:timers/promises";
import type { Caller } from "../access/caller.ts";
import { die } from "./failure.ts";
import type { Release } from "./lock-table.ts";
import { type Lock, type LockOptions, lockKey } from "./locks.ts";
import type { Process, WorkerBody } from "./process.ts";
import type { Simulation } from "./simulation.ts";

/**
 * Seconds that the holder of a cfs lock has before the alarm ends it (pve-cluster `src/PVE/Cluster.pm`, `$cfs_lock`).
 */
const cfsBodySeconds = 60;
/** A pmxcfs lock is not waited for in a queue: it is tried once a second, and those who find it free have it. */
const cfsRetrySeconds = 1;
/**
 * A file is locked for milliseconds, so two of those tries seldom meet. A fast clock wakes all who wait in the same
 * moment: each gives the others this many turns before the lock counts as taken.
 */
const cfsTurns = 50;
const defaultTimeout = 10;

/** The part of a process that requests and workers share: waiting, locks, forking and dying. */
export abstract class RunningProcess implements Process {
  readonly sim: Simulation;
  readonly node: string;
  readonly caller: Caller;
  /** SIGTERM; a new controller for each signal, since code that caught the interruption may wait again. */
  #terminated = new AbortController();
  #deaf = false;
  /** SIGKILL. */
  readonly #killed = new AbortController();
  readonly #held = new Map<string, Release>();
  /** Perl's alarm: waiting beyond this time stamp fails with that text. */
  #alarm: { at: number; text: string } | undefined;

  constructor(sim: Simulation, node: string, caller: Caller) {
    this.sim = sim;
    this.node = node;
    this.caller = caller;
  }

  abstract print(line: string): void;
  abstract warn(text: string): void;

  worker(type: string, id: string, body: WorkerBody, abandon?: () => void): string {
    this.sim.faults.onFork({ type, id, node: this.node });
    return this.sim.workers.fork({ node: this.node, caller: this.caller, type, id, body, abandon });
  }

  /** SIGTERM: interrupts the current or the next wait. The signal is lost where the code ignores it. */
  terminate(): void {
    if (!this.#deaf) {
      this.#terminated.abort();
    }
  }

  /**
   * Ends the process without a message: the code stops at its next wait and never continues, and its locks are
   * released.
   */
  kill(): void {
    this.#killed.abort();
    for (const release of this.#held.values()) {
      release();
    }
  }

  async sleep(seconds: number, deaf?: "uninterruptible"): Promise<void> {
    const { clock } = this.sim;
    const alarm = this.#alarm;
    const left = alarm === undefined ? Number.POSITIVE_INFINITY : (alarm.at - clock.now()) * clock.speed;
    this.#deaf = deaf !== undefined;
    try {
      await this.#waitFor(clock.sleep(Math.max(Math.min(seconds, left), 0), this.#signal()));
    } finally {
      this.#deaf = false;
    }
    if (alarm !== undefined && left < seconds) {
      die(alarm.text);
    }
  }

  async lock<T>(lock: Lock, options: LockOptions, body: () => T | Promise<T>): Promise<T> {
    const key = lockKey(lock, this.node);
    // A process takes a flock once; a pmxcfs lock is a directory, which even its owner cannot create twice.
    if (lock.kind === "flock" && this.#held.has(key)) {
      return await body();
    }
    const release = await this.#acquire(lock, key, options);
    const alarm = this.#alarm;
    if (lock.kind === "cfs") {
      const at = this.sim.clock.now() + cfsBodySeconds / this.sim.clock.speed;
      this.#alarm = { at, text: `'${lock.id}'-locked command timed out - aborting` };
    }
    this.#held.set(key, release);
    try {
      // Reading and writing the file takes a moment, in which other calls arrive and find the lock taken.
      if (lock.kind === "cfs") await setImmediate();
      return await body();
    } finally {
      this.#alarm = alarm;
      this.#held.delete(key);
      release();
    }
  }

  async #acquire(lock: Lock, key: string, options: LockOptions): Promise<Release> {
    const { locks } = this.sim;
    const shared = options.shared ?? false;
    const immediate = locks.tryAcquire(key, shared);
    if (immediate !== undefined) {
      return immediate;
    }
    const seconds = options.seconds ?? defaultTimeout;
    if (lock.kind === "cfs") return this.#acquireCfs(lock, seconds);
    this.print("trying to acquire lock...");
    const release = await this.#waitFor(locks.acquire(key, shared, seconds, this.#signal()));
    if (release === undefined) return die(`can't lock file '${lock.id}' - got timeout`);
    this.print(" OK");
    return release;
  }

  async #acquireCfs({ id }: Lock, seconds: number): Promise<Release> {
    for (let left = seconds; left > 0; left -= cfsRetrySeconds) {
      this.print(`trying to acquire cfs lock '${id}' ...`);
      await this.#waitFor(this.sim.clock.sleep(cfsRetrySeconds, this.#signal()));
      const release = await this.#tryCfs(id);
      if (release !== undefined) return release;
    }
    return die(`cfs-lock '${id}' error: got lock request timeout`);
  }

  async #tryCfs(id: string): Promise<Release | undefined> {
    for (let turn = 0; turn < cfsTurns; turn++) {
      const release = this.sim.locks.tryAcquire(id, false);
      if (release !== undefined) return release;
      await setImmediate();
    }
    return undefined;
  }

  #signal(): AbortSignal {
    return AbortSignal.any([this.#terminated.signal, this.#killed.signal]);
  }

  /** SIGTERM makes a worker die with this text wherever it waits (pve-common `src/PVE/RESTEnvironment.pm`). */
  async #waitFor<T>(waiting: Promise<T>): Promise<T> {
    try {
      return await waiting;
    } catch (thrown) {
      if (this.#killed.signal.aborted) {
        return await new Promise<never>(() => undefined);
      }
      if (!this.#terminated.signal.aborted) {
        throw thrown;
      }
      this.#terminated = new AbortController();
      return die("received interrupt");
    }
  }
}
