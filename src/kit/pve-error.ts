import type { PveError, PveErrorKind, WaitAborted } from "#pve";

/** Whether it is an error of the client. Recognised by its name: the client's class is not loaded before there is a client. */
export function isPveError(reason: unknown, ...kinds: readonly PveErrorKind[]): reason is PveError {
  if (!(reason instanceof Error) || reason.name !== "PveError") return false;
  return kinds.length === 0 || kinds.includes((reason as PveError).kind);
}

/** Whether the wait for a task was aborted. By its name, too. */
export const isWaitAborted = (reason: unknown): reason is WaitAborted =>
  reason instanceof Error && reason.name === "WaitAborted";

/** Whether it is about an object of the cluster, which a message has to name. */
export const isOfObject = (reason: unknown): boolean => isPveError(reason) || isWaitAborted(reason);
