/**
 * What became of a task that is no longer waited for: it was `stopped`, and PVE undoes it; it could `not_stopped` be; or it `continues`,
 * since stopping it would leave something half done, or it belongs to another client.
 */
export type TaskFate = "stopped" | "not_stopped" | "continues";

/** The wait for a task was aborted. The cause is the reason of the signal. */
export class WaitAborted extends Error {
  override readonly name = "WaitAborted";
  readonly upid: string;
  readonly fate: TaskFate;

  constructor(upid: string, fate: TaskFate, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.upid = upid;
    this.fate = fate;
  }
}
