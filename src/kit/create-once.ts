import { Failure, type PathLike } from "#framework";
import type { Existing } from "./already-exists.ts";
import { provenWrite } from "./proven-write.ts";
import { isPveError } from "./pve-error.ts";
import type { Session } from "./session.ts";

/** How many polls of the task list nothing has to happen before the object must be another's. */
const gracePolls = 3;

interface Creation {
  readonly api: Session;
  readonly signal: AbortSignal;
  find(): Promise<object | null>;
  make(): Promise<unknown>;
  /** What to say if it is there already, and where. */
  readonly exists: Existing;
  readonly path: PathLike;
}

/**
 * Creates what PVE creates within one call. An object that existed before belongs to someone else. If the answer is lost,
 * what is there now and was not before was made by the call, which PVE would have refused otherwise. Returns whether
 * the answer came.
 */
export async function createOnce(creation: Creation): Promise<boolean> {
  const { api, signal, find, make, exists, path } = creation;
  const refuse = (cause?: unknown) => new Failure(exists.summary, exists.detail, { path, cause });
  if (!(await isFree(creation))) throw refuse();
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

/**
 * Whether nothing is in the way. Terraform removes an object of the state, and makes that of another resource, at the same
 * time: what the same run is removing is awaited while any of its changes are under way.
 */
async function isFree({ api, signal, find, exists }: Creation): Promise<boolean> {
  const graceMs = gracePolls * api.settings.tasks.pollMs;
  for (;;) {
    const { ended } = api.changes;
    if ((await find()) === null) return true;
    if (!api.managed.has(exists.type, exists.id)) return false;
    const isMore = () => api.changes.ended > ended;
    await api.changes.until(isMore, graceMs, signal);
    if (!isMore()) return false;
  }
}
