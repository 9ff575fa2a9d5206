import { Failure, type PathLike } from "#framework";
import { provenWrite } from "./proven-write.ts";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

interface Creation {
  readonly api: Session;
  readonly signal: AbortSignal;
  find(): Promise<object | null>;
  make(): Promise<unknown>;
  /** What to say if it is there already, and where. */
  readonly exists: { readonly summary: string; readonly detail: string };
  readonly path: PathLike;
}

/**
 * Creates what PVE creates within one call. An object that existed before belongs to someone else. If the answer is lost,
 * what is there now and was not before was made by the call, which PVE would have refused otherwise. Returns whether
 * the answer came.
 */
export async function createOnce({ api, signal, find, make, exists, path }: Creation): Promise<boolean> {
  const refuse = (cause?: unknown) => new Failure(exists.summary, exists.detail, { path, cause });
  if ((await find()) !== null) throw refuse();
  let isAnswered = false;
  const write = async () => {
    await make();
    isAnswered = true;
  };
  try {
    await provenWrite(api, { write, isDone: async () => (await find()) !== null, signal });
  } catch (reason) {
    throw isPveError(reason, "exists") ? refuse(reason) : reason;
  }
  return isAnswered;
}
