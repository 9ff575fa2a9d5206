import { isPveError, PveError } from "./errors.ts";
import { pause } from "./pause.ts";
import type { GuestAddress, GuestConfig, QemuCalls } from "./qemu.ts";
import type { TaskCalls } from "./tasks.ts";
import { parseUpid } from "./upid.ts";
import type { TaskResult } from "./watch/task-result.ts";
import type { TaskWatch } from "./watch/task-watch.ts";

/** The result of a write whose response was lost: proved, or reported as unknown. */
export type Outcome =
  | { readonly kind: "done"; readonly task: TaskResult | null }
  | { readonly kind: "not_done" }
  /** It was attempted, and PVE undid it. */
  | { readonly kind: "failed"; readonly error: PveError }
  | { readonly kind: "unknown"; readonly reason: string };

/** Whether the object in question has the caller's mark. `busy`: something exists that cannot be judged yet. */
export type Mark = "ours" | "foreign" | "absent" | "busy";

/** The traces that the write would have left. */
export interface WriteTrace {
  readonly node: string;
  /** When it was sent, by the server's clock in Unix seconds: `details.sentAt` of the error. */
  readonly sentAt: number;
  /** The task that it would have started: the id in its UPID (for a clone, the *source*), and its type; any, if left out. */
  readonly task?: { readonly type?: string; readonly id: string };
  /** How long that may show no progress, if longer than for other tasks. */
  readonly patienceMs?: number | undefined;
  /** Looks for the mark; without one, only a single unclaimed task can prove anything. */
  readonly findMark?: () => Promise<Mark>;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly tasks: TaskCalls;
  readonly watch: TaskWatch;
  /** `user@realm` or `user@realm!token`, as in this client's UPIDs. */
  readonly identity: string;
  /** The interval between two checks. */
  readonly pauseMs: number;
  /** How long a lost write may take to appear. */
  readonly graceMs: number;
  /** How long something that cannot be judged is watched. */
  readonly patienceMs: number;
}

/** Clocks tick in whole seconds, and the server stamps a task a moment after the request was sent. */
const clockSlackSeconds = 3;

/**
 * Finds out what happened to a write without a response (596, a reset, a timeout): from the task that it must have
 * started and from the mark that the caller put into it. Never assumes.
 */
export async function proveOutcome(trace: WriteTrace, parts: Parts): Promise<Outcome> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  for (;;) {
    const ended = await waitForTasks(trace, parts);
    const mark = await trace.findMark?.();
    const verdict = judge(mark, ended);
    // Two lost calls may find the same task; without a mark it proves only one of them.
    const isProof = mark !== undefined || verdict?.kind !== "done" || parts.watch.claim(verdict.task?.upid ?? "");
    if (verdict !== undefined && isProof) {
      return verdict;
    }
    if (mark === "busy" ? elapsed() > parts.patienceMs : elapsed() > parts.graceMs) {
      return atLast(trace, mark);
    }
    await pause(parts.pauseMs, trace.signal);
  }
}

type Ended = PromiseSettledResult<TaskResult>;

/**
 * This client's tasks of that kind since then, awaited; without those whose id another call of this process received.
 */
async function waitForTasks(trace: WriteTrace, parts: Parts): Promise<readonly Ended[]> {
  const { node, sentAt, task, patienceMs, signal } = trace;
  if (task === undefined) {
    return [];
  }
  const { tasks, watch, identity } = parts;
  const since = sentAt - clockSlackSeconds;
  const filter = { source: "all", since, limit: 500, ...(task.type && { typefilter: task.type }) } as const;
  const { tasks: listed } = await tasks.list(node, filter, { signal });
  const candidates = listed
    .map(({ upid }) => parseUpid(upid))
    .filter(({ type, id, user }) => type === (task.type ?? type) && id === task.id && user === identity)
    .map(({ text }) => text)
    .filter((upid) => !watch.isClaimed(upid));
  const ended = await Promise.allSettled(
    candidates.map((upid) => watch.wait(upid, { signal, isForeign: true, patienceMs })),
  );
  signal?.throwIfAborted();
  // While they ran, the responses of other calls may have arrived.
  return ended.filter((_, index) => !watch.isClaimed(candidates[index] ?? ""));
}

function judge(mark: Mark | undefined, ended: readonly Ended[]): Outcome | undefined {
  const [only] = ended.length === 1 ? ended : [];
  switch (mark) {
    case "ours":
      return { kind: "done", task: only?.status === "fulfilled" ? only.value : null };
    case "foreign":
      return { kind: "not_done" };
    case "busy":
      return undefined;
    case "absent":
      return only?.status === "rejected" ? { kind: "failed", error: PveError.from(only.reason) } : undefined;
    case undefined:
      return judgeByTasks(ended);
  }
}

/** Without a mark, a single task proves what happened; several prove only that something did. */
function judgeByTasks([only, ...others]: readonly Ended[]): Outcome | undefined {
  if (only === undefined) {
    return undefined;
  }
  if (others.length > 0) {
    return { kind: "unknown", reason: `${others.length + 1} tasks match, and cannot be distinguished` };
  }
  return only.status === "fulfilled"
    ? { kind: "done", task: only.value }
    : { kind: "failed", error: PveError.from(only.reason) };
}

/** Nothing appeared within the time limit. */
function atLast({ task }: WriteTrace, mark: Mark | undefined): Outcome {
  if (mark === "busy") {
    return { kind: "unknown", reason: "another operation on it does not end" };
  }
  return mark === undefined && task === undefined
    ? { kind: "unknown", reason: "the call starts no task and leaves no mark" }
    : { kind: "not_done" };
}

/**
 * The usual mark of a new guest: a text in its config, such as in its description. Locked configs are still being created.
 */
export function markInConfig(
  calls: Pick<QemuCalls, "getConfig">,
  guest: GuestAddress,
  isOurs: (config: GuestConfig) => boolean,
): () => Promise<Mark> {
  return async () => {
    try {
      const config = await calls.getConfig(guest);
      return config.lock !== undefined ? "busy" : isOurs(config) ? "ours" : "foreign";
    } catch (reason) {
      if (isPveError(reason, "not_found")) {
        return "absent";
      }
      // Privileges through a pool apply only when the clone enters it, at the very end.
      if (isPveError(reason, "permission")) {
        return "busy";
      }
      throw reason;
    }
  };
}
