import type { TaskSettings } from "../settings.ts";

/** More tasks than this on one node are a crowd: Terraform's own default parallelism. */
const crowdSize = 10;
/** How late a task may be noticed, as a share of its running time so far; never more than the interval. */
const lateness = 0.15;
/** How long a node counts as crowded afterwards: the end of a large run is no reason to poll faster again. */
const crowdMemoryMs = 30_000;

/**
 * When the next poll of a node's task list is due. Most tasks are short, so the first polls of a new task come soon and
 * the next ones in proportion to its age, until the list is read once per interval, however many wait. In a crowd there
 * is always a new task, and every poll serves all of them, so only the plain interval applies.
 */
export class PollSchedule {
  readonly #settings: TaskSettings;
  #newestAt = Number.NEGATIVE_INFINITY;
  /** When the first task arrived that no poll has included yet. */
  #unseenSince: number | undefined;
  #lastPollAt = Number.NEGATIVE_INFINITY;
  #crowdedUntil = Number.NEGATIVE_INFINITY;

  constructor(settings: TaskSettings) {
    this.#settings = settings;
  }

  taskAdded(now: number, waiting: number): void {
    this.#newestAt = now;
    this.#unseenSince ??= now;
    if (waiting > crowdSize) {
      this.#crowdedUntil = now + crowdMemoryMs;
    }
  }

  polled(now: number): void {
    this.#lastPollAt = now;
    this.#unseenSince = undefined;
  }

  nextPollAt(now: number): number {
    const { firstPollMs, pollMs } = this.#settings;
    const steady = this.#lastPollAt + pollMs;
    const unseenSince = this.#unseenSince ?? Number.NEGATIVE_INFINITY;
    if (now < this.#crowdedUntil) {
      // The first task of a crowd arrived when nothing was watched: its time starts now.
      return Math.max(now, steady < unseenSince ? unseenSince + pollMs : steady);
    }
    if (this.#unseenSince !== undefined) {
      return Math.max(now, unseenSince + firstPollMs);
    }
    const step = Math.max(firstPollMs, (this.#lastPollAt - this.#newestAt) * lateness);
    return Math.max(now, Math.min(steady, this.#lastPollAt + step));
  }
}
