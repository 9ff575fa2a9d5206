import { Failure, isPveError, LockNote, type Session } from "#kit";
import { describeChanges, fingerprintOf, pendingChanges } from "./pending.ts";

const noteOf = (api: Session): LockNote => api.store.keep("lock of the SDN", () => new LockNote(api, "sdn"));

/**
 * Releases the lock that a killed run of this machine has left behind. PVE checks its token, so the lock of another client
 * stays.
 */
async function releaseAbandoned(api: Session): Promise<void> {
  const token = noteOf(api).abandoned();
  if (token === null) return;
  await api.sdn.unlock({ token }).catch((reason: unknown) => {
    if (!isPveError(reason, "locked")) throw reason;
  });
  noteOf(api).release(token);
}

/**
 * Takes the lock, if this run does not hold it yet: no other client can change the SDN until it is released, and the writes of
 * this one carry its token. While another client holds it, this waits.
 */
export async function holdLock(api: Session): Promise<void> {
  if (api.sdn.held.token !== undefined) return;
  await releaseAbandoned(api);
  const token = await inTurn(api, () => take(api));
  noteOf(api).hold(token);
  api.sdn.held.token = token;
}

/** Does the work under the lock. It releases the lock if it succeeds; before an error it is released here. */
export async function underLock<T>(api: Session, work: (token: string) => Promise<T>): Promise<T> {
  await holdLock(api);
  const token = api.sdn.held.token ?? "";
  try {
    const result = await work(token);
    noteOf(api).release(token);
    api.sdn.held.token = undefined;
    return result;
  } catch (reason) {
    await releaseLock(api);
    throw reason;
  }
}

/** Of a lock that is released already, PVE says the same. */
export async function releaseLock(api: Session): Promise<void> {
  const { token } = api.sdn.held;
  if (token === undefined) return;
  api.sdn.held.token = undefined;
  try {
    await api.sdn.unlock({ token });
    noteOf(api).release(token);
  } catch (reason) {
    if (isPveError(reason, "locked")) noteOf(api).release(token);
    else noteOf(api).hold(token, { isGivenUp: true });
  }
}

/**
 * Tries again while another client holds the lock and works: what is staged or running changes. PVE does not show who holds it,
 * nor since when.
 */
export async function inTurn<T>(api: Session, attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const begun = performance.now();
  for (let before: string | null = null; ; ) {
    try {
      return await attempt();
    } catch (reason) {
      if (!isPveError(reason, "locked") || !reason.details.lock?.mayStay) throw reason;
      signal?.throwIfAborted();
      const now = await fingerprintOf(api);
      const waitedMs = performance.now() - begun;
      if (now === before || waitedMs > api.settings.tasks.timeoutMs) throw await stillHeld(api, waitedMs, reason);
      before = now;
    }
  }
}

async function stillHeld(api: Session, waitedMs: number, cause: unknown): Promise<Failure> {
  const staged = describeChanges(await pendingChanges(api));
  const seen =
    staged === ""
      ? "It has staged nothing"
      : `Staged are: ${staged}; these are changes of the holder or of earlier ones`;
  const detail = `Another client holds the lock of the SDN; Proxmox VE does not show which one. ${seen}. This run waited ${Math.ceil(waitedMs / 1000)} s. Nothing was changed. If another pipeline or an administrator works on the SDN, run this again when that has ended. ${howToRelease}`;
  return new Failure("Lock of the SDN held", detail, { cause });
}

const howToRelease =
  "If a client was stopped and left the lock behind, release it with `pvesh delete /cluster/sdn/lock --force 1` on any node, or with the action `proxmox_sdn_apply` or `proxmox_sdn_rollback` with `break_lock = true`; then run this again.";

/** A second attempt succeeds if the first one never arrived. */
async function take(api: Session): Promise<string> {
  try {
    return await api.sdn.lock();
  } catch (reason) {
    if (!isPveError(reason) || !reason.mayHaveHappened) throw reason;
    try {
      return await api.sdn.lock();
    } catch (second) {
      if (!isPveError(second, "locked")) throw second;
      const detail = `The answer to the request for the lock of the SDN was lost, and the lock is held since: by this run without its token, or by another client. Nothing was changed. ${howToRelease}`;
      throw new Failure("Lock of the SDN held", detail, { cause: second });
    }
  }
}
