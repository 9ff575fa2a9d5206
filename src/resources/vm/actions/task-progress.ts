import { setTimeout as sleep } from "node:timers/promises";
import { Failure, parseDuration, type Session } from "#kit";
import type { GuestAddress } from "#pve";

/** What a hook of an action has to tell with. */
export interface TaskContext {
  readonly api: Session;
  readonly signal: AbortSignal;
  progress(line: string): void;
}

/** After so long without a word the person is told that it still runs. */
const silenceMs = 10_000;

/** Runs a task on a VM and tells what its log says while it runs. */
export async function taskProgress(
  context: TaskContext,
  vm: GuestAddress,
  what: string,
  submit: () => Promise<string>,
  patienceMs?: number,
): Promise<void> {
  const { api, signal, progress } = context;
  const listening = new AbortController();
  let listener = Promise.resolve();
  const begin = async () => {
    const upid = await submit();
    progress(`VM ${vm.vmid}: task ${upid}`);
    listener = tellLog(context, vm, upid, listening.signal);
    return upid;
  };
  try {
    const { warnings } = await api.operations.run(vm, { what, submit: begin, signal, patienceMs });
    if (warnings.length > 0) progress(`VM ${vm.vmid}: done, with warnings`);
  } finally {
    listening.abort();
    await listener;
  }
}

/** Every line once; what was written last is read after the task has ended. */
async function tellLog(
  { api, progress }: TaskContext,
  vm: GuestAddress,
  upid: string,
  ended: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let [told, spokeAt] = [0, started];
  for (let isLast = false; !isLast; ) {
    isLast = await sleep(api.settings.tasks.pollMs, false, { signal: ended }).catch(() => true);
    const lines = await readLog(api, upid, told);
    told += lines.length;
    const news = lines.filter((line) => !/^(no content$|TASK (OK|ERROR|WARNINGS))/.test(line));
    for (const line of news) progress(`VM ${vm.vmid}: ${line}`);
    const now = performance.now();
    if (news.length > 0) spokeAt = now;
    else if (!isLast && now - spokeAt >= silenceMs) {
      progress(`VM ${vm.vmid}: still running after ${Math.round((now - started) / 1000)} s`);
      spokeAt = now;
    }
  }
}

/** A log that cannot be read must not fail what it tells of. PVE shows an empty one as a line "no content". */
const readLog = (api: Session, upid: string, start: number): Promise<readonly string[]> =>
  api.tasks.log(upid, { start, limit: 500 }).then(
    ({ lines }) => (lines.length === 1 && lines[0] === "no content" ? [] : lines),
    () => [],
  );

/** Waits until the VM runs, or does not: under HA, and after a reboot, that comes later than the task's end. */
export async function awaitStatus(
  { api, signal, progress }: TaskContext,
  vm: GuestAddress,
  wanted: "running" | "stopped",
): Promise<void> {
  while ((await api.qemu.getStatus(vm, { signal })).status !== wanted) {
    await sleep(api.settings.tasks.pollMs, undefined, { signal });
  }
  progress(`VM ${vm.vmid}: ${wanted}`);
}

/** Does something within a time; what is late is told from what was cancelled. */
export async function within<N extends TaskContext>(
  context: N,
  limit: string,
  late: { readonly summary: string; readonly detail: string },
  work: (context: N) => Promise<void>,
): Promise<void> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), parseDuration(limit) ?? 0);
  try {
    await work({ ...context, signal: AbortSignal.any([context.signal, clock.signal]) });
  } catch (reason) {
    if (!clock.signal.aborted || context.signal.aborted) throw reason;
    throw new Failure(late.summary, late.detail, { path: "timeout", cause: reason });
  } finally {
    clearTimeout(timer);
  }
}
