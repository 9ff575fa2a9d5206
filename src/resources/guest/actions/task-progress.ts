import { setTimeout as sleep } from "node:timers/promises";
import { Failure, type Session } from "#kit";
import type { GuestAddress, TaskResult } from "#pve";
import type { GuestBase } from "../base.ts";

export interface TaskContext {
  readonly kind: GuestBase;
  readonly api: Session;
  readonly signal: AbortSignal;
  /** Shows a line to the user. */
  progress(line: string): void;
}

/** After so long without a line, the user is shown that the task still runs. */
const silenceMs = 10_000;

/** Runs a task on a guest and shows its log while it runs. */
export async function taskProgress(
  context: TaskContext,
  guest: GuestAddress,
  what: string,
  submit: () => Promise<string>,
  patienceMs?: number,
): Promise<TaskResult> {
  const { kind, api, signal, progress } = context;
  const ending = new AbortController();
  let showing = Promise.resolve();
  const begin = async () => {
    const upid = await submit();
    progress(`${kind.title} ${guest.vmid}: task ${upid}`);
    showing = showLog(context, guest, upid, ending.signal);
    return upid;
  };
  try {
    const task = await api.operations.run(guest, { what, submit: begin, signal, patienceMs });
    if (task.warnings.length > 0) progress(`${kind.title} ${guest.vmid}: done, with warnings`);
    return task;
  } finally {
    ending.abort();
    await showing;
  }
}

/** Shows each line once; the last ones are read after the task has ended. */
async function showLog(
  { kind, api, progress }: TaskContext,
  { vmid }: GuestAddress,
  upid: string,
  ended: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let [shown, shownAt] = [0, started];
  for (let isLast = false; !isLast; ) {
    isLast = await sleep(api.settings.tasks.pollMs, false, { signal: ended }).catch(() => true);
    const lines = await readLog(api, upid, shown);
    shown += lines.length;
    const news = lines.filter((line) => !/^(no content$|TASK (OK|ERROR|WARNINGS))/.test(line));
    for (const line of news) progress(`${kind.title} ${vmid}: ${line}`);
    const now = performance.now();
    if (news.length > 0) shownAt = now;
    else if (!isLast && now - shownAt >= silenceMs) {
      progress(`${kind.title} ${vmid}: still running after ${Math.round((now - started) / 1000)} s`);
      shownAt = now;
    }
  }
}

/** A log that cannot be read does not fail the action. PVE shows an empty one as a line "no content". */
const readLog = (api: Session, upid: string, start: number): Promise<readonly string[]> =>
  api.tasks.log(upid, { start, limit: 500 }).then(
    ({ lines }) => (lines.length === 1 && lines[0] === "no content" ? [] : lines),
    () => [],
  );

/** Waits until the guest runs, or is stopped: under HA, and after a reboot, that is later than the end of the task. */
export async function awaitStatus(
  { kind, api, signal, progress }: TaskContext,
  guest: GuestAddress,
  wanted: "running" | "stopped",
): Promise<void> {
  while ((await kind.calls(api).getStatus(guest, { signal })).status !== wanted) {
    await sleep(api.settings.tasks.pollMs, undefined, { signal });
  }
  progress(`${kind.title} ${guest.vmid}: ${wanted}`);
}

/** Limits the time of some work. `late` is the error when the time is over; a cancelled run is not late. */
export async function within(
  cancelled: AbortSignal,
  limitMs: number,
  late: { readonly summary: string; readonly detail: string },
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), limitMs);
  try {
    await work(AbortSignal.any([cancelled, clock.signal]));
  } catch (reason) {
    if (!clock.signal.aborted || cancelled.aborted) throw reason;
    throw new Failure(late.summary, late.detail, { path: "timeout", cause: reason });
  } finally {
    clearTimeout(timer);
  }
}
