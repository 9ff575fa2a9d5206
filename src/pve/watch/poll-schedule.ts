import type { TaskSettings } from "../settings.ts";

/** More tasks than this on one node are a crowd: Terraform's own default parallelism. */
const crowdSize = 10;
/** How late a task may be noticed, as a share of how long it has run already; never more than the interval. */
const lateness = 0.15;
/** How long a node counts as crowded after it was: the tail of a large run is no reason to poll faster again. */
const crowdMemoryMs = 30_000;

/**
 * When the next look at a node's task list is due. Most tasks are short, so the first looks at a new one come soon and
 * the next ones in proportion to its age, until the list is read once per interval, however many wait. In a crowd there is always somebody new, and every look
 * serves all of them: it gets the plain interval only.
 */
export class PollSchedule {
  readonly #settings: TaskSettings;
  #newestAt = Number.NEGATIVE_INFINITY;
  /** When the first task came that no look has included yet. */
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
      // The first of a crowd came when nobody was watched: their second begins with them.
      return Math.max(now, steady < unseenSince ? unseenSince + pollMs : steady);
    }
    if (this.#unseenSince !== undefined) {
      return Math.max(now, unseenSince + firstPollMs);
    }
    const step = Math.max(firstPollMs, (this.#lastPollAt - this.#newestAt) * lateness);
    return Math.max(now, Math.min(steady, this.#lastPollAt + step));
  }
}
