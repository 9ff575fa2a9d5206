import type { Simulator } from "#simulator";

/** A point in a run that does not depend on the clock: the n-th call to the cluster, or the n-th write. */
export interface Moment {
  readonly of: "calls" | "writes";
  readonly nth: number;
  /** Before the cluster carries out the call, or afterwards and before its response. */
  readonly when: "before" | "after";
}

/** Polls of tasks do not count: their number depends on the clock. */
const isPoll = (path: string): boolean => path.includes("/tasks") || path === "/access/ticket";

/** Counts the calls to the cluster, and runs actions at chosen moments. */
export class Moments {
  readonly #waiting = new Set<{ readonly moment: Moment; readonly act: () => void }>();
  readonly #counts = { before: { calls: 0, writes: 0 }, after: { calls: 0, writes: 0 } };
  readonly #always: (() => void)[] = [];

  constructor({ faults }: Simulator) {
    const usual = faults.onCall.bind(faults);
    faults.onCall = (endpoint, when, answer) => {
      const outcome = usual(endpoint, when, answer);
      for (const act of this.#always) act();
      if (!isPoll(endpoint.path)) this.#count(when, endpoint.method !== "GET");
      return outcome;
    };
  }

  at(moment: Moment, act: () => void): void {
    this.#waiting.add({ moment, act });
  }

  /** Something to do at every call. */
  always(act: () => void): void {
    this.#always.push(act);
  }

  /** Another step begins: pending actions are dropped, and counting starts again. */
  begin(): void {
    this.#waiting.clear();
    for (const counts of Object.values(this.#counts)) Object.assign(counts, { calls: 0, writes: 0 });
  }

  #count(when: "before" | "after", isWrite: boolean): void {
    const counts = this.#counts[when];
    counts.calls += 1;
    if (isWrite) counts.writes += 1;
    for (const waiting of this.#waiting) {
      const { moment, act } = waiting;
      const isDue = moment.when === when && (moment.of === "calls" || isWrite) && counts[moment.of] === moment.nth;
      if (!isDue) continue;
      this.#waiting.delete(waiting);
      act();
    }
  }
}
