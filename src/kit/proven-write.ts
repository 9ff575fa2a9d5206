import { proveLost } from "./prove-lost.ts";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

interface Write {
  readonly write: () => Promise<unknown>;
  /** Whether what the write is about is as the write would have left it. */
  readonly isDone: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** A write that starts no task. When its answer is lost the cluster is asked what became of it: it is never sent twice. */
export async function provenWrite(api: Session, { write, isDone, signal }: Write): Promise<void> {
  try {
    await write();
  } catch (reason) {
    if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
    await proveLost(api, reason, {
      node: "",
      findMark: async () => ((await isDone()) ? "ours" : "absent"),
      signal,
    });
  }
}

const attempts = 5;

/** Changes what has a digest: when another client has changed the file in the meantime, it is read and written again. */
export async function withDigest<T extends { readonly digest?: string | undefined }>(
  api: Session,
  read: () => Promise<T>,
  write: (now: T) => Promise<unknown>,
): Promise<void> {
  const isWorthRetrying = (reason: Error) => api.isOutdated(reason);
  await api.retry({ attempts, isWorthRetrying }, async () => write(await read()));
}
