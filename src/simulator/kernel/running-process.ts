import type { Caller } from "../access/caller.ts";
import { die } from "./failure.ts";
import type { Lock, LockOptions } from "./locks.ts";
import type { Process, WorkerBody } from "./process.ts";
import type { Simulation } from "./simulation.ts";

/** What a cfs lock leaves its holder before the alarm ends it (pve-cluster `src/PVE/Cluster.pm`, `$cfs_lock`). */
const cfsBodySeconds = 60;
const defaultTimeout = 10;

/** The part of a process that requests and workers share: waiting, locks and forking. */
export abstract class RunningProcess implements Process {
  readonly sim: Simulation;
  readonly node: string;
  readonly caller: Caller;
  readonly #held = new Map<string, "shared" | "exclusive">();
  /** Perl's alarm: waiting beyond this time stamp fails with that text. */
  #alarm: { at: number; text: string } | undefined;

  constructor(sim: Simulation, node: string, caller: Caller) {
    this.sim = sim;
    this.node = node;
    this.caller = caller;
  }

  abstract print(line: string): void;
  abstract warn(text: string): void;
  protected abstract readonly interruption: AbortSignal | undefined;

  worker(type: string, id: string, body: WorkerBody): string {
    return this.sim.forkWorker({ node: this.node, caller: this.caller, type, id, body });
  }

  async sleep(seconds: number): Promise<void> {
    const { clock } = this.sim;
    const alarm = this.#alarm;
    const left = alarm === undefined ? Number.POSITIVE_INFINITY : (alarm.at - clock.now()) * clock.speed;
    await this.#wait(Math.max(Math.min(seconds, left), 0));
    if (alarm !== undefined && left < seconds) {
      die(alarm.text);
    }
  }

  async lock<T>(lock: Lock, options: LockOptions, body: () => T | Promise<T>): Promise<T> {
    const key = lock.kind === "flock" ? `${this.node}:${lock.id}` : lock.id;
    // A flock is asked for once per process; a pmxcfs lock is a directory, which even its owner cannot make twice.
    if (lock.kind === "flock" && this.#held.has(key)) {
      return await body();
    }
    const release = await this.#acquire(lock, key, options);
    const alarm = this.#alarm;
    if (lock.kind === "cfs") {
      const at = this.sim.clock.now() + cfsBodySeconds / this.sim.clock.speed;
      this.#alarm = { at, text: `'${lock.id}'-locked command timed out - aborting` };
    }
    this.#held.set(key, options.shared ? "shared" : "exclusive");
    try {
      return await body();
    } finally {
      this.#alarm = alarm;
      this.#held.delete(key);
      release();
    }
  }

  async #acquire(lock: Lock, key: string, options: LockOptions): Promise<() => void> {
    const { locks } = this.sim;
    const shared = options.shared ?? false;
    const seconds = options.seconds ?? defaultTimeout;
    const immediate = locks.tryAcquire(key, shared);
    if (immediate !== undefined) {
      return immediate;
    }
    this.print(lock.kind === "flock" ? "trying to acquire lock..." : `trying to acquire cfs lock '${lock.id}' ...`);
    const release = await this.#interruptible(locks.acquire(key, shared, seconds, this.interruption));
    if (release === undefined) {
      return die(
        lock.kind === "flock"
          ? `can't lock file '${lock.id}' - got timeout`
          : `cfs-lock '${lock.id}' error: got lock request timeout`,
      );
    }
    if (lock.kind === "flock") {
      this.print(" OK");
    }
    return release;
  }

  async #wait(seconds: number): Promise<void> {
    await this.#interruptible(this.sim.clock.sleep(seconds, this.interruption));
  }

  /** SIGTERM makes a worker die with this text wherever it waits (pve-common `src/PVE/RESTEnvironment.pm`). */
  async #interruptible<T>(waiting: Promise<T>): Promise<T> {
    try {
      return await waiting;
    } catch (thrown) {
      return this.interruption?.aborted ? die("received interrupt") : Promise.reject(thrown);
    }
  }
}
