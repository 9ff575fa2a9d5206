import type { TaskSettings } from "../settings.ts";
import type { TaskTimes } from "./task-times.ts";

/** A task that is waited for. */
export interface WatchedTask {
  readonly type: string;
  readonly addedAt: number;
  /** Its age at the last poll that included it; 0: there was none. */
  readonly lookedAt: number;
}

/** More tasks than this on one node are a crowd: Terraform's own default parallelism. */
const crowdSize = 10;
/** How late the end of a task of an unknown duration may be noticed, as a share of its age. */
const lateness = 0.15;
/** The same where the duration is known, as a share of it, and of the time by which the task has exceeded it. */
const precision = 0.025;
const overdueLateness = 0.3;
/** How far apart the polls of a crowd are, as a share of what its tasks take. */
const crowdLateness = 0.2;
/** Before its end is due, a task is looked at only if it is longer than this many first polls. */
const shortTask = 4;

const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/**
 * When the next poll of a node's task list is due. The first task of a type is looked at soon, then in proportion to its
 * age. Later ones are looked at when their end is due, by what tasks of that type took in this run: rarely before, closely
 * then, and less and less often when it does not come. Each poll serves all tasks, and a crowd is polled in proportion to
 * what most of its tasks take. A task is never looked at less often than once per interval, give or take a fortieth of its
 * duration.
 */
export class PollSchedule {
  readonly #settings: TaskSettings;
  readonly #times: TaskTimes;
  #lastPollAt = Number.NEGATIVE_INFINITY;

  constructor(settings: TaskSettings, times: TaskTimes) {
    this.#settings = settings;
    this.#times = times;
  }

  polled(now: number): void {
    this.#lastPollAt = now;
  }

  nextPollAt(now: number, tasks: readonly WatchedTask[]): number {
    const due = Math.min(...tasks.map((task) => task.addedAt + this.#nextAge(task)));
    return Math.max(now, due, this.#lastPollAt + this.#gap(now, tasks));
  }

  /** The age at which a task is looked at next. */
  #nextAge({ type, lookedAt }: WatchedTask): number {
    const { firstPollMs, pollMs } = this.#settings;
    const expected = this.#times.expected(type);
    if (expected === undefined) return lookedAt + clamp(lookedAt * lateness, firstPollMs, pollMs);
    const step = clamp(expected * precision, firstPollMs / 2, pollMs);
    if (lookedAt >= expected) return lookedAt + clamp((lookedAt - expected) * overdueLateness, step, pollMs);
    const early = expected < shortTask * firstPollMs ? expected : lookedAt + Math.min(expected / 2, pollMs);
    return early > expected - step ? Math.max(expected, lookedAt + step) : early;
  }

  /** The shortest time between two polls. */
  #gap(now: number, tasks: readonly WatchedTask[]): number {
    const { firstPollMs, pollMs } = this.#settings;
    if (tasks.length <= crowdSize) return tasks.length === 1 ? firstPollMs / 2 : firstPollMs;
    const times = tasks.map(({ type, addedAt }) => this.#times.expected(type) ?? now - addedAt).sort((a, b) => a - b);
    return clamp((times[Math.floor(times.length / 2)] ?? 0) * crowdLateness, firstPollMs, pollMs);
  }
}
