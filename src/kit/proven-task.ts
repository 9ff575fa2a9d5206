import type { GuestAddress, Mark, TaskResult } from "#pve";
import { isLost } from "./files/find-file.ts";
import { proveLost } from "./prove-lost.ts";
import type { Session } from "./session.ts";

interface TaskWrite {
  /** For messages: "remove volume group tank". */
  readonly what: string;
  readonly node: string;
  /** The task that the call starts: the id in its UPID, and its type unless any task of that id will do. */
  readonly task: { readonly type?: string; readonly id: string };
  submit(): Promise<string | null>;
  /** Whether what the task is about is as the task would have left it. Without it, only the task itself is a proof. */
  findMark?(): Promise<Mark>;
  /** The guest that it changes: writes on one guest go one at a time. */
  readonly guest?: GuestAddress;
  readonly patienceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A write that starts a task. When its answer is lost, the task and its effect are looked for: it is never sent twice. Returns the
 * task, where one is known.
 */
export async function provenTask(api: Session, write: TaskWrite): Promise<TaskResult | null> {
  const { what, submit, guest, patienceMs, signal, ...trace } = write;
  const operation = { what, submit, signal, patienceMs };
  try {
    return await (guest ? api.operations.run(guest, operation) : api.operations.write(operation));
  } catch (reason) {
    if (!isLost(reason)) throw reason;
    return await proveLost(api, reason, { ...trace, patienceMs, signal });
  }
}

interface GuestWrite extends Pick<TaskWrite, "what" | "submit" | "patienceMs" | "signal"> {
  /** Whether the guest is as the write would have left it. Left out: the write changes nothing that can be read. */
  isDone?(): Promise<boolean>;
}

const attempts = 3;

/**
 * A write on a guest that does no harm if it is done twice. When its answer is lost, the guest and its tasks show whether it
 * was done; if not, it is sent again. Returns the task, where one is known.
 */
export function repeatableTask(api: Session, guest: GuestAddress, write: GuestWrite): Promise<TaskResult | null> {
  const { isDone, ...given } = write;
  const findMark = isDone && (async (): Promise<Mark> => ((await isDone()) ? "ours" : "absent"));
  const task = { id: String(guest.vmid) };
  return api.retry({ attempts, isWorthRetrying: isLost, signal: write.signal }, async (attempt) =>
    attempt > 1 && (await isDone?.())
      ? null
      : provenTask(api, { ...given, node: guest.node, guest, task, ...(findMark && { findMark }) }),
  );
}

interface RepeatableWrite {
  write(): Promise<unknown>;
  /** Whether there is nothing left to do: asked before it is sent again. Left out: sending it again changes nothing. */
  isDone?(): Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
}

/** The same for a write that starts no task and belongs to no guest. */
export async function repeatableWrite(api: Session, { write, isDone, signal }: RepeatableWrite): Promise<void> {
  await api.retry({ attempts, isWorthRetrying: isLost, signal }, async (attempt) => {
    if (attempt === 1 || !(await isDone?.())) await write();
  });
}
