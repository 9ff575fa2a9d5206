import type { PveError, PveErrorKind } from "#pve";

/** Whether it is an error of the client. Recognised by its name: the client's class is not loaded before there is a client. */
export function isPveError(reason: unknown, ...kinds: readonly PveErrorKind[]): reason is PveError {
  if (!(reason instanceof Error) || reason.name !== "PveError") return false;
  return kinds.length === 0 || kinds.includes((reason as PveError).kind);
}
