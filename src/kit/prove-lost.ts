import type { PveError, TaskResult, WriteTrace } from "#pve";
import type { Session } from "./session.ts";

/**
 * Finds out what became of a write whose answer was lost. Returns its task, if that is known. Throws why it failed, or, where
 * nothing can be proved, the error of the write itself: it says that the work may have been done.
 */
export async function proveLost(
  api: Session,
  reason: PveError,
  trace: Omit<WriteTrace, "sentAt">,
): Promise<TaskResult | null> {
  const sentAt = reason.details.sentAt ?? api.serverTime();
  const outcome = await api.proveOutcome({ ...trace, sentAt }).catch((): never => {
    throw reason;
  });
  if (outcome.kind === "done") return outcome.task;
  throw outcome.kind === "failed" ? outcome.error : reason;
}
