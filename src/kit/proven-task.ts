import type { GuestAddress, Mark } from "#pve";
import { isLost } from "./files/find-file.ts";
import type { Session } from "./session.ts";

interface TaskWrite {
  /** For messages: "remove volume group tank". */
  readonly what: string;
  readonly node: string;
  /** The task that the call starts: worker type and the id in its UPID. */
  readonly task: { readonly type: string; readonly id: string };
  submit(): Promise<string | null>;
  /** Whether what the task is about is as the task would have left it. */
  findMark(): Promise<Mark>;
  /** The guest that it changes: writes on one guest go one at a time. */
  readonly guest?: GuestAddress;
  readonly patienceMs?: number;
  readonly signal: AbortSignal;
}

/** A write that starts a task. When its answer is lost, the task and its effect are looked for: it is never sent twice. */
export async function provenTask(api: Session, write: TaskWrite): Promise<void> {
  const { what, node, task, submit, findMark, guest, patienceMs, signal } = write;
  const operation = { what, submit, signal, patienceMs };
  try {
    await (guest ? api.operations.run(guest, operation) : api.operations.write(operation));
  } catch (reason) {
    if (!isLost(reason)) throw reason;
    const sentAt = reason.details.sentAt ?? api.serverTime();
    const outcome = await api.proveOutcome({ node, sentAt, task, findMark, signal });
    if (outcome.kind !== "done") throw outcome.kind === "failed" ? outcome.error : reason;
  }
}
