import { setTimeout as sleep } from "node:timers/promises";
import { Failure, parseDuration } from "#framework";
import type { TaskResult } from "#pve";
import type { Session } from "./session.ts";

/** What an action can report with. */
interface TaskContext {
  readonly api: Session;
  readonly signal: AbortSignal;
  progress(line: string): void;
}

interface Shown {
  /** What the lines begin with: `VM 101`. */
  readonly label: string;
  /** Receives every line of the log. */
  seen?(line: string): void;
}

interface TaskRun extends Shown {
  /** For messages: "back up VM 101". */
  readonly what: string;
  /** Starts the task; null if there is nothing to do. */
  submit(): Promise<string | null>;
  /** How long the task may show no progress, if longer than for other tasks. */
  readonly patienceMs?: number;
}

/** After this time without a line the user is shown that the task still runs. */
const silenceMs = 10_000;

/** Runs a task and shows its log while it runs. */
export async function runTask(context: TaskContext, run: TaskRun): Promise<void> {
  const { what, patienceMs, submit } = run;
  await showingLog(context, run, submit, (begin) =>
    context.api.operations.write({ what, submit: begin, signal: context.signal, patienceMs }),
  );
}

/** Shows the log of the task that `submit` starts, until `run` has waited for its end. */
export async function showingLog<U extends string | null, R extends TaskResult | null>(
  context: TaskContext,
  shown: Shown,
  submit: () => Promise<U>,
  run: (begin: () => Promise<U>) => Promise<R>,
): Promise<R> {
  const ended = new AbortController();
  let log = Promise.resolve();
  const begin = async () => {
    const upid = await submit();
    if (upid === null) return upid;
    context.progress(`${shown.label}: task ${upid}`);
    log = showLog(context, shown, upid, ended.signal);
    return upid;
  };
  try {
    const result = await run(begin);
    if (result !== null && result.warnings.length > 0) context.progress(`${shown.label}: complete, with warnings`);
    return result;
  } finally {
    ended.abort();
    await log;
  }
}

/** Every line once; the last lines are read after the task has ended. */
async function showLog(
  { api, progress }: TaskContext,
  { label, seen }: Shown,
  upid: string,
  ended: AbortSignal,
): Promise<void> {
  const startedAt = performance.now();
  let [shown, shownAt] = [0, startedAt];
  for (let isLast = false; !isLast; ) {
    isLast = await sleep(api.settings.tasks.pollMs, false, { signal: ended }).catch(() => true);
    const lines = await readLog(api, upid, shown);
    shown += lines.length;
    const news = lines.filter((line) => !/^(no content$|TASK (OK|ERROR|WARNINGS))/.test(line));
    for (const line of news) {
      seen?.(line);
      progress(`${label}: ${line}`);
    }
    const now = performance.now();
    if (news.length > 0) shownAt = now;
    else if (!isLast && now - shownAt >= silenceMs) {
      progress(`${label}: still running after ${Math.round((now - startedAt) / 1000)} s`);
      shownAt = now;
    }
  }
}

/** A log that cannot be read must not fail the task. PVE shows an empty one as a line "no content". */
const readLog = (api: Session, upid: string, start: number): Promise<readonly string[]> =>
  api.tasks.log(upid, { start, limit: 500 }).then(
    ({ lines }) => (lines.length === 1 && lines[0] === "no content" ? [] : lines),
    () => [],
  );

/** Limits the time of some work. `late` is the error when the time is over; a cancelled run is not late. */
export async function within<C extends TaskContext>(
  context: C,
  limit: string,
  late: { readonly summary: string; readonly detail: string },
  work: (context: C) => Promise<void>,
  slackMs = 0,
): Promise<void> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), (parseDuration(limit) ?? 0) + slackMs);
  try {
    await work({ ...context, signal: AbortSignal.any([context.signal, clock.signal]) });
  } catch (reason) {
    if (!clock.signal.aborted || context.signal.aborted) throw reason;
    throw new Failure(late.summary, late.detail, { path: "timeout", cause: reason });
  } finally {
    clearTimeout(timer);
  }
}
