import { AsyncLocalStorage } from "node:async_hooks";
import { isPveError, PveError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { TaskSettings } from "../settings.ts";
import { percentIn, readExitStatus } from "../single-texts.ts";
import type { ListedTask, TaskCalls } from "../tasks.ts";
import type { Upid } from "../upid.ts";
import { PollSchedule, type WatchedTask } from "./poll-schedule.ts";
import type { TaskTimes } from "./task-times.ts";

/** A caller that waits for one task. */
export interface Waiter {
  readonly upid: Upid;
  /** It was started by another client, perhaps long ago. */
  readonly isForeign: boolean;
  /** How long the task may be silent, where that is longer than the general limit: a guest that shuts down. */
  readonly patienceMs?: number | undefined;
  /** Called once, with the exit status or with the error. */
  readonly finish: (exitStatus: string) => void;
  readonly fail: (error: PveError) => void;
}

interface Entry extends Waiter, WatchedTask {
  lookedAt: number;
  polls: number;
  /** Polls in a row that did not show it, or that failed. */
  misses: number;
  /** Why the last poll failed; undefined: it did not. */
  unread: string | undefined;
  /** How often its own status reported that the task does not exist. */
  denials: number;
  progressAt: number;
  progressAskedAt: number;
  logLines: number;
  /** As its log last showed it. */
  percent: number | undefined;
  /** Runs something on behalf of the waiter, so that the log can assign its lines. */
  readonly within: (work: () => void) => void;
}

/** A poll serves all waiters, so it runs on behalf of none of them. */
const outside = AsyncLocalStorage.snapshot();

/** `since` is compared with start times in whole seconds; a little earlier costs nothing. */
const sinceSlackSeconds = 5;
/** PVE lists running tasks first, then the most recently ended ones: a task that just ended is always among these. */
const listLimit = 500;
const pollsPerLogLine = 10;
/** How often the log of a long task is read for its progress. */
const progressMs = 10_000;
/** Lines of it that are read at a time. */
const logLimit = 500;

export interface WatchParts {
  readonly tasks: TaskCalls;
  readonly settings: TaskSettings;
  readonly logger: Logger;
  readonly times: TaskTimes;
}

/** The 2nd, 4th, 8th … time in a row: a lagging list must not multiply the requests. */
const isWorthAsking = ({ misses }: Pick<Entry, "misses">): boolean =>
  misses >= 2 && Number.isInteger(Math.log2(misses));

/** Watches every task of one node with one request per poll, for all waiters. */
export class NodeWatch {
  readonly #node: string;
  readonly #tasks: TaskCalls;
  readonly #settings: TaskSettings;
  readonly #logger: Logger;
  readonly #schedule: PollSchedule;
  readonly #times: TaskTimes;
  /** Several waiters may wait for one task. */
  readonly #entries = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #isPolling = false;

  constructor(node: string, { tasks, settings, logger, times }: WatchParts) {
    this.#node = node;
    this.#tasks = tasks;
    this.#settings = settings;
    this.#logger = logger;
    this.#times = times;
    this.#schedule = new PollSchedule(settings, times);
  }

  /** The result ends the wait without an answer. */
  add(waiter: Waiter): () => void {
    const now = performance.now();
    const times = { addedAt: now, progressAt: now, progressAskedAt: now };
    const counts = { lookedAt: 0, polls: 0, misses: 0, denials: 0, logLines: 0, percent: undefined, unread: undefined };
    const { upid } = waiter;
    const within = AsyncLocalStorage.snapshot();
    const entry: Entry = { ...waiter, type: upid.type, ...times, ...counts, within };
    this.#entries.add(entry);
    this.#arm();
    return () => {
      this.#entries.delete(entry);
      this.#arm();
    };
  }

  /** Sets the timer for the next poll; a poll in progress sets it again when it is done. */
  #arm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#isPolling || this.#entries.size === 0) {
      return;
    }
    const now = performance.now();
    // Node truncates a delay to whole milliseconds: rounded up, otherwise the poll comes early and is due again.
    this.#timer = setTimeout(
      () => void outside(() => this.#look()),
      Math.ceil(this.#schedule.nextPollAt(now, [...this.#entries]) - now) + 1,
    );
  }

  async #look(): Promise<void> {
    this.#isPolling = true;
    const now = performance.now();
    this.#schedule.polled(now);
    const asked = [...this.#entries];
    try {
      await this.#poll(asked, now);
    } catch (reason) {
      // Counts as a look: a node that does not answer is not asked more often.
      for (const entry of asked) entry.lookedAt = now - entry.addedAt;
      await this.#listFailed(asked, PveError.from(reason));
    } finally {
      this.#isPolling = false;
      this.#arm();
    }
  }

  async #poll(asked: readonly Entry[], now: number): Promise<void> {
    const since = Math.min(...asked.map(({ upid }) => upid.startTime)) - sinceSlackSeconds;
    const { tasks } = await this.#tasks.list(this.#node, { source: "all", since, limit: listLimit });
    const shown = new Map(tasks.map((task) => [task.upid, task]));
    const judge = async (entry: Entry) => {
      try {
        await this.#judge(entry, shown.get(entry.upid.text), now - entry.addedAt);
      } catch (reason) {
        this.#pollFailed(entry, PveError.from(reason));
      }
    };
    await Promise.all(asked.map(judge));
  }

  async #judge(entry: Entry, shown: ListedTask | undefined, age: number): Promise<void> {
    entry.polls += 1;
    entry.unread = undefined;
    if (shown?.endtime !== undefined && shown.status !== undefined) {
      const isUsual = !entry.isForeign && readExitStatus(shown.status).kind !== "failed";
      if (isUsual) this.#times.learn(entry.type, { lastSeen: entry.lookedAt, end: age });
      this.#finish(entry, shown.status);
      return;
    }
    entry.lookedAt = age;
    entry.misses = shown === undefined ? entry.misses + 1 : 0;
    if (entry.polls % pollsPerLogLine === 0) {
      const fields = { task: entry.upid.text, polls: entry.polls, duration_ms: this.#age(entry) };
      entry.within(() => this.#logger.debug("task is still running", fields));
    }
    // Missing for the second time: it may have ended and not be filed yet, or have been pushed out of the list. Its own
    // status is certain; requesting that at the 2nd, 4th, 8th … poll keeps a lagging list from multiplying the
    // requests.
    if (isWorthAsking(entry)) await this.#askStatus(entry);
    await this.#checkProgress(entry);
  }

  async #askStatus(entry: Entry): Promise<void> {
    try {
      const { status, exitstatus } = await this.#tasks.get(entry.upid.text);
      entry.denials = 0;
      if (status === "stopped" && exitstatus !== undefined) {
        this.#finish(entry, exitstatus);
      }
    } catch (reason) {
      if (!isPveError(reason, "not_found")) {
        throw reason;
      }
      entry.denials += 1;
      if (entry.denials >= 2) {
        this.#fail(
          entry,
          new PveError("task", "the node no longer has the task", { upid: entry.upid.text, mayHaveHappened: true }),
        );
      }
    }
  }

  /** A growing log is progress: a large copy may take hours. Read every ten seconds, for old tasks only. */
  async #checkProgress(entry: Entry): Promise<void> {
    const now = performance.now();
    const interval = Math.min(progressMs, this.#settings.timeoutMs / 5);
    if (!this.#entries.has(entry) || now - entry.progressAskedAt < interval) {
      return;
    }
    entry.progressAskedAt = now;
    const { lines, total } = await this.#tasks.log(entry.upid.text, { start: entry.logLines, limit: logLimit });
    if (total > entry.logLines) {
      entry.logLines = Math.min(total, entry.logLines + lines.length);
      entry.progressAt = now;
    }
    entry.percent = percentIn(lines) ?? entry.percent;
    const progress = entry.percent === undefined ? {} : { percent: entry.percent };
    const fields = { task: entry.upid.text, duration_ms: this.#age(entry), ...progress };
    if (this.#entries.has(entry)) entry.within(() => this.#logger.info("task is in progress", fields));
    this.#failIfStalled(entry, now);
  }

  /** A list that a node refuses may be the only thing that is broken: the task's own status is asked for, as for one that is missing. */
  async #listFailed(asked: readonly Entry[], error: PveError): Promise<void> {
    this.#logger.warn("tasks cannot be polled", { node: this.#node, error: error.message });
    const isSilent = error.kind === "unreachable" || error.kind === "timeout";
    const handle = async (entry: Entry) => {
      entry.misses += 1;
      if (!isSilent && isWorthAsking(entry)) await this.#askStatus(entry).catch(() => {});
      this.#pollFailed(entry, error);
    };
    await Promise.all(asked.map(handle));
  }

  /** A poll is a read. Whatever makes it fail may pass, and says nothing about the task, which has its own time. */
  #pollFailed(entry: Entry, error: PveError): void {
    entry.unread = error.message;
    this.#failIfStalled(entry, performance.now());
  }

  #failIfStalled(entry: Entry, now: number): void {
    if (now - entry.progressAt < Math.max(this.#settings.timeoutMs, entry.patienceMs ?? 0)) return;
    const seconds = Math.round((now - entry.progressAt) / 1000);
    const why = entry.unread === undefined ? "" : `, and it cannot be asked for: ${entry.unread}`;
    const text = `the task has shown no progress for ${seconds} s${why}`;
    this.#fail(entry, new PveError("timeout", text, { upid: entry.upid.text, mayHaveHappened: true }));
  }

  #finish(entry: Entry, exitStatus: string): void {
    if (this.#entries.delete(entry)) {
      const fields = { task: entry.upid.text, status: exitStatus, polls: entry.polls, duration_ms: this.#age(entry) };
      entry.within(() => this.#logger.debug("task has ended", { event: "task", ...fields }));
      entry.finish(exitStatus);
    }
  }

  #age({ addedAt }: Entry): number {
    return Math.round(performance.now() - addedAt);
  }

  #fail(entry: Entry, error: PveError): void {
    if (this.#entries.delete(entry)) {
      entry.fail(error);
    }
  }
}
