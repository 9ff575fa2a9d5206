import type { Clock } from "./clock.ts";

interface Waiter {
  readonly shared: boolean;
  grant(): void;
}

interface State {
  /** Number of holders: one exclusive or any number of shared ones. */
  holders: number;
  shared: boolean;
  queue: Waiter[];
}

export type Release = () => void;

/** All locks of the cluster that are held or waited for, by key. Waiters are served in order of arrival. */
export class LockTable {
  readonly #clock: Clock;
  readonly #states = new Map<string, State>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The lock if it is free, otherwise undefined. As with flock, a shared request overtakes waiting exclusive ones. */
  tryAcquire(key: string, shared: boolean): Release | undefined {
    const state = this.#states.get(key);
    if (state === undefined) {
      const fresh: State = { holders: 1, shared, queue: [] };
      this.#states.set(key, fresh);
      return this.#release(key, fresh);
    }
    if (!(shared && state.shared)) {
      return undefined;
    }
    state.holders++;
    return this.#release(key, state);
  }

  /** Waits for the lock; undefined if it was not free within that many simulated seconds. */
  async acquire(key: string, shared: boolean, seconds: number, signal?: AbortSignal): Promise<Release | undefined> {
    const immediate = this.tryAcquire(key, shared);
    if (immediate !== undefined) {
      return immediate;
    }
    const state = this.#states.get(key) as State;
    const done = new AbortController();
    let granted = false;
    const waiter: Waiter = {
      shared,
      grant: () => {
        granted = true;
        done.abort();
      },
    };
    state.queue.push(waiter);
    try {
      await this.#clock.sleep(seconds, signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]));
    } catch (thrown) {
      if (!granted) {
        this.#leave(state, waiter);
        throw thrown;
      }
    }
    if (granted) {
      return this.#release(key, state);
    }
    this.#leave(state, waiter);
    return undefined;
  }

  /** Whether the lock is held, for tests and faults. */
  isHeld(key: string): boolean {
    return this.#states.has(key);
  }

  #leave(state: State, waiter: Waiter): void {
    state.queue.splice(state.queue.indexOf(waiter), 1);
  }

  #release(key: string, state: State): Release {
    let held = true;
    return () => {
      if (!held) {
        return;
      }
      held = false;
      state.holders--;
      if (state.holders === 0) {
        this.#handOn(key, state);
      }
    };
  }

  #handOn(key: string, state: State): void {
    const first = state.queue.shift();
    if (first === undefined) {
      this.#states.delete(key);
      return;
    }
    state.shared = first.shared;
    const next = first.shared ? [first, ...state.queue.filter((waiter) => waiter.shared)] : [first];
    state.queue = state.queue.filter((waiter) => !next.includes(waiter));
    state.holders = next.length;
    for (const waiter of next) {
      waiter.grant();
    }
  }
}
