import { isPveError, PveError } from "./errors.ts";
import { pause } from "./pause.ts";
import type { QemuCalls, VmAddress, VmConfig } from "./qemu.ts";
import type { TaskCalls } from "./tasks.ts";
import { parseUpid } from "./upid.ts";
import type { TaskResult } from "./watch/task-result.ts";
import type { TaskWatch } from "./watch/task-watch.ts";

/** What became of a write whose answer was lost: proved, or admitted to be unknown. */
export type Outcome =
  | { readonly kind: "done"; readonly task: TaskResult | null }
  | { readonly kind: "not_done" }
  /** It was tried, and PVE undid it. */
  | { readonly kind: "failed"; readonly error: PveError }
  | { readonly kind: "unknown"; readonly reason: string };

/** Whether the object in question carries the caller's mark. `busy`: there is something that cannot be judged yet. */
export type Mark = "ours" | "foreign" | "absent" | "busy";

/** What the write would have left behind. */
export interface WriteTrace {
  readonly node: string;
  /** When it was sent, by the server's clock in Unix seconds: `details.sentAt` of the error. */
  readonly sentAt: number;
  /** The task it would have started: worker type and the id in its UPID (a clone's is the *source*). */
  readonly task?: { readonly type: string; readonly id: string };
  /** Looks for the mark; without one only a single unclaimed task can prove anything. */
  readonly findMark?: () => Promise<Mark>;
  readonly signal?: AbortSignal | undefined;
}

interface Parts {
  readonly tasks: TaskCalls;
  readonly watch: TaskWatch;
  /** `user@realm` or `user@realm!token`, as it stands in our UPIDs. */
  readonly identity: string;
  /** How long to wait between two looks. */
  readonly pauseMs: number;
  /** How long a lost write may take to show. */
  readonly graceMs: number;
  /** How long something that cannot be judged is watched. */
  readonly patienceMs: number;
}

/** Clocks tick in whole seconds, and the server stamps a task a moment after the request was sent. */
const clockSlackSeconds = 3;

/**
 * Finds out what happened to a write that got no answer (596, a reset, a timeout): by the task it must have started and
 * by the mark the caller put into it. Never assumes.
 */
export async function proveOutcome(trace: WriteTrace, parts: Parts): Promise<Outcome> {
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  for (;;) {
    const ended = await waitForTasks(trace, parts);
    const mark = await trace.findMark?.();
    const verdict = judge(mark, ended);
    // Two lost calls may find the same task; without a mark it proves one of them only.
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

/** Our tasks of that kind, begun since then, waited for; without those whose id was an answer somebody here did get. */
async function waitForTasks({ node, sentAt, task, signal }: WriteTrace, parts: Parts): Promise<readonly Ended[]> {
  if (task === undefined) {
    return [];
  }
  const { tasks, watch, identity } = parts;
  const filter = { source: "all", since: sentAt - clockSlackSeconds, limit: 500, typefilter: task.type } as const;
  const { tasks: listed } = await tasks.list(node, filter, { signal });
  const candidates = listed
    .map(({ upid }) => parseUpid(upid))
    .filter(({ type, id, user }) => type === task.type && id === task.id && user === identity)
    .map(({ text }) => text)
    .filter((upid) => !watch.isClaimed(upid));
  const ended = await Promise.allSettled(candidates.map((upid) => watch.wait(upid, { signal, isForeign: true })));
  signal?.throwIfAborted();
  // While they ran, the answers of other calls may have arrived.
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

/** Without a mark a single task proves what happened; several prove only that something did. */
function judgeByTasks([only, ...others]: readonly Ended[]): Outcome | undefined {
  if (only === undefined) {
    return undefined;
  }
  if (others.length > 0) {
    return { kind: "unknown", reason: `${others.length + 1} tasks could be the one, and nothing tells them apart` };
  }
  return only.status === "fulfilled"
    ? { kind: "done", task: only.value }
    : { kind: "failed", error: PveError.from(only.reason) };
}

/** Nothing has shown in the time given. */
function atLast({ task }: WriteTrace, mark: Mark | undefined): Outcome {
  if (mark === "busy") {
    return { kind: "unknown", reason: "somebody works on it and does not come to an end" };
  }
  return mark === undefined && task === undefined
    ? { kind: "unknown", reason: "the call starts no task and leaves no mark" }
    : { kind: "not_done" };
}

/** The usual mark of a new VM: something in its config, such as its description. Locked configs are still being made. */
export function markInConfig(
  qemu: QemuCalls,
  vm: VmAddress,
  isOurs: (config: VmConfig) => boolean,
): () => Promise<Mark> {
  return async () => {
    try {
      const config = await qemu.getConfig(vm);
      return config.lock !== undefined ? "busy" : isOurs(config) ? "ours" : "foreign";
    } catch (reason) {
      if (isPveError(reason, "not_found")) {
        return "absent";
      }
      // Rights through a pool come only when the clone enters it, at the very end.
      if (isPveError(reason, "permission")) {
        return "busy";
      }
      throw reason;
    }
  };
}
